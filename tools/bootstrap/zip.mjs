// Reads a zip (a Python wheel is one) with node:zlib alone: no zip64, no encryption.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

/**
 * The members of a zip, each as a function that unpacks it.
 * @param {Buffer} buf the whole archive
 * @returns {Map<string, () => Buffer>}
 * @throws {Error} when it is no zip, or a member is damaged
 */
export function openZip(buf) {
  let end = buf.length - 22;
  while (end >= 0 && buf.readUInt32LE(end) !== 0x06054b50) end--;
  if (end < 0) throw new Error('not a zip file');
  /** @type {Map<string, () => Buffer>} */
  const files = new Map();
  let at = buf.readUInt32LE(end + 16);
  for (let left = buf.readUInt16LE(end + 10); left > 0; left--) {
    if (buf.readUInt32LE(at) !== 0x02014b50) throw new Error('bad zip directory');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((o) => buf.readUInt16LE(at + o));
    const name = buf.toString('utf8', at + 46, at + 46 + Number(nameLength));
    files.set(name, member(buf, at, name));
    at += 46 + Number(nameLength) + Number(extraLength) + Number(commentLength);
  }
  return files;
}

/**
 * @param {Buffer} buf
 * @param {number} entry offset of the member's entry in the directory
 * @param {string} name
 */
function member(buf, entry, name) {
  const method = buf.readUInt16LE(entry + 10);
  const packed = buf.readUInt32LE(entry + 20);
  const size = buf.readUInt32LE(entry + 24);
  const local = buf.readUInt32LE(entry + 42);
  return () => {
    const from = local + 30 + buf.readUInt16LE(local + 26) + buf.readUInt16LE(local + 28);
    const raw = buf.subarray(from, from + packed);
    if (method !== 0 && method !== 8) throw new Error(`${name}: zip method ${method}`);
    const out = method ? inflateRawSync(raw, { maxOutputLength: Math.max(size, 1) }) : raw;
    if (out.length !== size) throw new Error(`${name}: damaged in the zip`);
    return out;
  };
}

/**
 * The one member whose name ends so, checked against a pinned hash.
 * @param {string} archive path of the zip
 * @param {Record<string, string>} wanted end of the name → sha256
 * @returns {Map<string, Buffer>} by the same ends
 */
export function readPinnedMembers(archive, wanted) {
  const files = openZip(readFileSync(archive));
  /** @type {Map<string, Buffer>} */
  const out = new Map();
  for (const [end, sha256] of Object.entries(wanted)) {
    const name = [...files.keys()].find((n) => n === end || n.endsWith(end.startsWith('/') ? end : `/${end}`));
    const data = name === undefined ? undefined : files.get(name)?.();
    if (!data) throw new Error(`no ${end} in ${archive}`);
    const got = createHash('sha256').update(data).digest('hex');
    if (got !== sha256) throw new Error(`${end} in ${archive} has sha256 ${got}, pinned ${sha256}: refused`);
    out.set(end, data);
  }
  return out;
}
