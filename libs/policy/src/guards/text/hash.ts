import { createHash } from 'node:crypto';

/** First 128 bits of SHA-256 over the UTF-16 units (lone surrogates stay distinct), as 22 characters. */
export function hashText(text: string): string {
  return createHash('sha256').update(text, 'utf16le').digest('base64url').slice(0, 22);
}
