import { createHash } from 'node:crypto';

/** SHA-256 of a text's UTF-16 units: two texts that differ only in lone surrogates differ here too. 43 characters. */
export const textHash = (text: string): string => createHash('sha256').update(text, 'utf16le').digest('base64url');
