// Nearest rows of a matrix to each of its rows, exactly, a block of rows at a time.
import { matmul, Tensor } from '@xenova/transformers';

const BLOCK = 256;

/** rows · rowsᵀ, a block of rows at a time: visit(first row of the block, its similarities to all rows). */
export async function eachBlock(rows, size, visit) {
  const count = rows.length / size;
  const turned = new Float32Array(rows.length);
  for (let r = 0; r < count; r += 1) for (let j = 0; j < size; j += 1) turned[j * count + r] = rows[r * size + j];
  const right = new Tensor('float32', turned, [size, count]);
  for (let from = 0; from < count; from += BLOCK) {
    const to = Math.min(count, from + BLOCK);
    const left = new Tensor('float32', rows.slice(from * size, to * size), [to - from, size]);
    const { data } = await matmul(left, right);
    visit(from, to - from, data, count);
  }
}

/** Indices of the largest values, largest first, the lower index on ties. */
export function largest(values, base, count, most, skip) {
  const heap = [];
  let least = -Infinity;
  for (let j = 0; j < count; j += 1) {
    const value = values[base + j];
    if (value <= least || skip(j)) continue;
    heap.push([value, j]);
    if (heap.length >= 2 * most) {
      heap.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
      heap.length = most;
      least = heap[most - 1][0];
    }
  }
  heap.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  return heap.slice(0, most).map(([, j]) => j);
}
