/** Float64 numbers as base64 of their little-endian bytes: exact, and half as long as decimal text. */
export function encodeFloats(values: Float64Array): string {
  const bytes = Buffer.allocUnsafe(values.length * 8);
  values.forEach((value, i) => bytes.writeDoubleLE(value, i * 8));
  return bytes.toString('base64');
}

/** The inverse of `encodeFloats`; throws RangeError when the text does not hold `length` numbers. */
export function decodeFloats(text: string, length: number): Float64Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== length * 8) throw new RangeError(`Expected ${length} numbers, found ${bytes.length / 8}.`);
  return Float64Array.from({ length }, (_, i) => bytes.readDoubleLE(i * 8));
}
