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
  for (let r = 0; r < count; r++) {
    const at = r * size;
    for (let l = 0; l < m; l++) {
      const from = l * size;
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      let j = 0;
      for (; j + 3 < size; j += 4) {
        s0 += rows[at + j]! * landmarks[from + j]!;
        s1 += rows[at + j + 1]! * landmarks[from + j + 1]!;
        s2 += rows[at + j + 2]! * landmarks[from + j + 2]!;
        s3 += rows[at + j + 3]! * landmarks[from + j + 3]!;
      }
      for (; j < size; j++) s0 += rows[at + j]! * landmarks[from + j]!;
      const distance = rowNorms[r]! + norms[l]! - 2 * (s0 + s1 + (s2 + s3));
      out[r * width + l] = distance > 0 ? Math.exp(distance * scale) : 1;
    }
  }
  return out;
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
