const STEPS = 127;

/** Writes the vector as whole numbers up to ±127; returns the scale that makes them a unit vector again, 0 for zeros. */
export function quantise(vector: Float32Array, to: Int8Array): number {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  if (largest === 0) return 0;
  let square = 0;
  for (let i = 0; i < vector.length; i++) {
    const whole = Math.round((vector[i]! / largest) * STEPS);
    to[i] = whole;
    square += whole * whole;
  }
  return 1 / Math.sqrt(square);
}

/** The inverse of {@link quantise}, as far as 8 bits can tell. */
export function dequantise(
  numbers: Int8Array,
  scale: number,
  vector: Float32Array = new Float32Array(numbers.length),
): Float32Array {
  for (let i = 0; i < numbers.length; i++) vector[i] = numbers[i]! * scale;
  return vector;
}
