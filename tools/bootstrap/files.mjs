// Small file helpers of the bootstrap.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { BootstrapError } from './context.mjs';
import { formatBytes } from './progress.mjs';

/**
 * The sha256 of a file in hex, read in pieces.
 * @param {string} file
 */
export async function sha256OfFile(file) {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece);
  return hash.digest('hex');
}

/**
 * Whether the file is there with the pinned hash; a null hash asks only for presence.
 * @param {string} file
 * @param {string | null} sha256
 */
export async function isWhole(file, sha256) {
  if (!existsSync(file)) return false;
  return sha256 === null || (await sha256OfFile(file)) === sha256;
}

/**
 * Refuses (and removes) a file that is not the pinned one.
 * @param {string} file
 * @param {{ name: string, bytes: number | null, sha256: string | null }} pin
 */
export async function verifyPinned(file, { name, bytes, sha256 }) {
  const size = statSync(file).size;
  const got = sha256 === null && bytes === size ? null : await sha256OfFile(file);
  if ((bytes === null || size === bytes) && (sha256 === null || got === sha256)) return;
  rmSync(file, { force: true });
  throw new BootstrapError(
    `${name} is not the pinned file: ${formatBytes(size)} with sha256 ${got ?? 'unread'}, pinned ${bytes === null ? '' : `${formatBytes(bytes)} with `}${sha256 ?? 'no hash'}; it was removed and nothing of it is used.`,
    'Start again; if it stays so, the package was changed: do not use it, and report it.',
  );
}

/**
 * Writes a file so that a reader sees the old or the new one, never half.
 * @param {string} file
 * @param {string | Uint8Array} data
 * @param {number} [mode]
 */
export function writeAtomic(file, data, mode = 0o644) {
  const part = `${file}.${process.pid}.part`;
  writeFileSync(part, data, { mode });
  renameSync(part, file);
}
