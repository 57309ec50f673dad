import { cosine } from '../algebra/cosine.js';
import { dequantise, quantise } from '../algebra/quantise.js';

/** First byte; dossiers have another one. */
const VERSION = 0x80;
const HEAD = 5;

/** The second vector of a comparison rule as bytes, 8 bits a number; without one: "there is none". */
export function encodeContext(vector: Float32Array | undefined): Uint8Array {
  const bytes = new Uint8Array(HEAD + (vector?.length ?? 0));
  bytes[0] = VERSION;
  if (vector === undefined) return bytes;
  const scale = quantise(vector, new Int8Array(bytes.buffer, HEAD));
  new DataView(bytes.buffer).setFloat32(1, scale, true);
  return bytes;
}

/** Cosine of a request's second vector and a stored one: 1 when neither is there, −1 when only one is or none can be read. */
export function contextCosine(vector: Float32Array | undefined, stored: Uint8Array | undefined): number {
  if (stored?.[0] !== VERSION || stored.byteLength < HEAD) return -1;
  const length = stored.byteLength - HEAD;
  if (vector === undefined || length === 0) return vector === undefined && length === 0 ? 1 : -1;
  if (length !== vector.length) return -1;
  const scale = new DataView(stored.buffer, stored.byteOffset).getFloat32(1, true);
  return cosine(vector, dequantise(new Int8Array(stored.buffer, stored.byteOffset + HEAD, length), scale));
}
