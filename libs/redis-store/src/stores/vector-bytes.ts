/** Float32 little-endian bytes of a vector, without a copy. */
export function vectorBytes(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The vector of its bytes; undefined when they are none. */
export function bytesToVector(bytes: Buffer): Float32Array | undefined {
  if (bytes.byteLength === 0 || bytes.byteLength % 4 !== 0) return undefined;
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
