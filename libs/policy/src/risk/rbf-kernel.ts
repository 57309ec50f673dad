/**
 * exp(−|row − landmark|² / 2ℓ²) for every row and landmark: count × landmarks.length / size numbers.
 *
 * `out` may be wider than the landmarks: row r begins at r · width.
 */
export function rbfKernel(
  rows: Float64Array,
  count: number,
  size: number,
  landmarks: Float64Array,
  bandwidth: number,
  width: number = landmarks.length / size,
): Float64Array {
  const m = landmarks.length / size;
  const out = new Float64Array(count * width);
  const scale = -1 / (2 * bandwidth * bandwidth);
  const norms = squaredNorms(landmarks, m, size);
  const rowNorms = squaredNorms(rows, count, size);
  for (let r = 0; r < count; r += 4) {
    const height = Math.min(4, count - r);
    const product = productsOf(rows, r, height, size, landmarks, m);
    for (let k = 0; k < height; k++) {
      for (let l = 0; l < m; l++) {
        const distance = rowNorms[r + k]! + norms[l]! - 2 * product[4 * l + k]!;
        out[(r + k) * width + l] = distance > 0 ? Math.exp(distance * scale) : 1;
      }
    }
  }
  return out;
}

/**
 * Scalar products of up to four rows with every landmark, four numbers a landmark: two landmarks at a time, so that each
 * number is read a few times only.
 */
function productsOf(
  rows: Float64Array,
  first: number,
  height: number,
  size: number,
  landmarks: Float64Array,
  m: number,
): Float64Array {
  const rowAt = (k: number): Float64Array => {
    const row = first + Math.min(k, height - 1);
    return rows.subarray(row * size, (row + 1) * size);
  };
  const x = rowAt(0);
  const y = rowAt(1);
  const z = rowAt(2);
  const w = rowAt(3);
  const product = new Float64Array(4 * (m + (m % 2)));
  for (let l = 0; l < m; l += 2) {
    const from = l * size;
    // An odd one at the end is its own neighbour.
    const next = l + 1 < m ? from + size : from;
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    let t0 = 0;
    let t1 = 0;
    let t2 = 0;
    let t3 = 0;
    for (let j = 0; j < size; j++) {
      const first = landmarks[from + j]!;
      const second = landmarks[next + j]!;
      const a = x[j]!;
      const b = y[j]!;
      const c = z[j]!;
      const d = w[j]!;
      s0 += a * first;
      s1 += b * first;
      s2 += c * first;
      s3 += d * first;
      t0 += a * second;
      t1 += b * second;
      t2 += c * second;
      t3 += d * second;
    }
    product[4 * l] = s0;
    product[4 * l + 1] = s1;
    product[4 * l + 2] = s2;
    product[4 * l + 3] = s3;
    product[4 * l + 4] = t0;
    product[4 * l + 5] = t1;
    product[4 * l + 6] = t2;
    product[4 * l + 7] = t3;
  }
  return product;
}

function squaredNorms(rows: Float64Array, count: number, size: number): Float64Array {
  const norms = new Float64Array(count);
  for (let r = 0; r < count; r++) {
    let sum = 0;
    for (let j = 0; j < size; j++) sum += rows[r * size + j]! ** 2;
    norms[r] = sum;
  }
  return norms;
}
