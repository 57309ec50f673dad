import type { LabelRecord } from '@reprise/semantic-cache';

/** A label as it is kept: JSON, whose numbers are read again to the last bit; vectors as bytes in base64. */
export function encodeLabel({ row, texts, ...rest }: LabelRecord): string {
  return JSON.stringify({ ...rest, row: toBase64(row), ...(texts === undefined ? {} : { texts: toBase64(texts) }) });
}

/** The inverse of {@link encodeLabel}; throws SyntaxError when the text is none. */
export function decodeLabel(text: string): LabelRecord {
  const { row, texts, ...rest } = JSON.parse(text) as Omit<LabelRecord, 'row' | 'texts'> & {
    row: string;
    texts?: string;
  };
  return {
    ...rest,
    row: new Float64Array(bytesOf(row)),
    ...(texts === undefined ? {} : { texts: new Float32Array(bytesOf(texts)) }),
  };
}

const toBase64 = ({ buffer, byteOffset, byteLength }: Float32Array | Float64Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

/** In a buffer of their own, so that they are aligned. */
const bytesOf = (text: string): ArrayBuffer => Uint8Array.from(Buffer.from(text, 'base64')).buffer;
