import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { tempDir } from './spec-support.js';
import { openZip, readPinnedMembers } from './zip.mjs';

/** A zip of the given members, packed (method 8) or stored. */
function zip(members: Record<string, Buffer>, packed = true): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, data] of Object.entries(members)) {
    const raw = packed ? deflateRawSync(data) : data;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(packed ? 8 : 0, 10);
    entry.writeUInt32LE(raw.length, 20);
    entry.writeUInt32LE(data.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    parts.push(local, Buffer.from(name), raw);
    directory.push(entry, Buffer.from(name));
    at += 30 + name.length + raw.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(members).length, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

const members = { 'pkg/bin/server': Buffer.from('a server '.repeat(1_000)), 'pkg/empty': Buffer.alloc(0) };
const sha256 = (data: Buffer) => createHash('sha256').update(data).digest('hex');

describe('a zip', () => {
  it.each([true, false])('gives its members back (packed: %s)', (packed) => {
    const files = openZip(zip(members, packed));
    expect([...files.keys()]).toEqual(Object.keys(members));
    for (const [name, data] of Object.entries(members)) expect(files.get(name)?.().equals(data)).toBe(true);
  });

  it('says that a file is no zip', () => {
    expect(() => openZip(Buffer.from('<html>not found</html>'))).toThrow('not a zip');
  });

  it('gives only members with the pinned hash', () => {
    const file = join(tempDir(), 'a.whl');
    writeFileSync(file, zip(members));
    const server = members['pkg/bin/server'];
    expect(
      readPinnedMembers(file, { '/bin/server': sha256(server) })
        .get('/bin/server')
        ?.equals(server),
    ).toBe(true);
    expect(() => readPinnedMembers(file, { '/bin/server': sha256(Buffer.from('x')) })).toThrow(/pinned .*: refused/);
    expect(() => readPinnedMembers(file, { '/bin/client': sha256(server) })).toThrow('no /bin/client');
  });
});
