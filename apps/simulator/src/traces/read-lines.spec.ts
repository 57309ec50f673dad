import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SimulatorError } from '../simulator-error.js';
import { readLines, readObjects } from './read-lines.js';

let dir: string;
beforeEach(async () => void (dir = await mkdtemp(join(tmpdir(), 'reprise-simulator-'))));
afterEach(() => rm(dir, { recursive: true }));

async function file(content: string | Uint8Array, name = 'trace.jsonl'): Promise<string> {
  await writeFile(join(dir, name), content);
  return join(dir, name);
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const each of source) out.push(each);
  return out;
}

const failure = async (path: string): Promise<string> => {
  const error: unknown = await all(readObjects(path)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SimulatorError);
  return (error as Error).message;
};

describe('lines of a trace', () => {
  it('have their numbers, whatever ends them; blank ones are left out', async () => {
    const path = await file('one\r\n\n  two\nthrée');
    expect(await all(readLines(path))).toEqual([
      { number: 1, text: 'one' },
      { number: 3, text: 'two' },
      { number: 4, text: 'thrée' },
    ]);
  });

  it('are unpacked by the first bytes of the file, not by its name', async () => {
    const path = await file(gzipSync('{"a":1}\n{"a":2}\n'), 'no-ending');
    expect((await all(readObjects(path))).map(({ value }) => value)).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it('keep a character that lies over two chunks', async () => {
    const long = 'x'.repeat((1 << 18) - 1);
    expect((await all(readLines(await file(`${long}é\nlast\n`)))).map(({ text }) => text)).toEqual([
      `${long}é`,
      'last',
    ]);
  });

  it('of an array are its objects', async () => {
    const path = await file('[{"a":1},{"a":2}]\n{"a":3}\n');
    expect((await all(readObjects(path))).map(({ number }) => number)).toEqual([1, 1, 2]);
  });
});

describe('a file that is not what it should be is named with its line', () => {
  it('malformed', async () => {
    expect(await failure(await file('{"a":1}\n{"a":}\n'))).toMatch(/line 2: is not JSON/);
  });

  it('cut off', async () => {
    expect(await failure(await file('{"a":1}\n{"a":2}\n{"a":"no e'))).toMatch(/line 3: .*cut off/);
  });

  it('cut off in its compressed data', async () => {
    // Random text, so that the packed form is long enough to be cut.
    const lines = Array.from({ length: 5000 }, (_, n) => `{"a":"${Math.sin(n)}"}\n`).join('');
    const packed = gzipSync(lines);
    expect(await failure(await file(packed.subarray(0, packed.length >> 1)))).toMatch(
      /line [1-9]\d+: the file ends in the middle of its compressed data/,
    );
  });

  it('of another kind', async () => {
    expect(await failure(await file('"text"\n'))).toMatch(/line 1: is not a JSON object/);
    expect(await failure(await file(Uint8Array.of(0x7b, 0x22, 0xff, 0x0a)))).toMatch(/line 1: is not UTF-8/);
    expect(await failure(join(dir, 'none'))).toMatch(/cannot be read/);
  });
});
