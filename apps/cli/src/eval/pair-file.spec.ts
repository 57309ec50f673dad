import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parsePairLine, readPairFile } from './pair-file.js';

const dir = mkdtempSync(join(tmpdir(), 'reprise-pairs-'));
function file(name: string, content: string | Buffer): string {
  const path = join(dir, name);
  writeFileSync(path, content);
  return path;
}
const good = (a: string, label = 1): string => JSON.stringify({ a, b: 'b', label, kind: 'k' });

describe('a line of pairs', () => {
  it('is read with its number', () => {
    expect(parsePairLine('{"a":"x","b":"y","label":0,"kind":"neg","more":1}', 7)).toEqual({
      line: 7,
      a: 'x',
      b: 'y',
      positive: false,
      kind: 'neg',
    });
    expect(parsePairLine('{"a":"x","b":"y","label":true}', 1)).toMatchObject({ positive: true, kind: '' });
  });

  it.each([
    ['{', 'is not JSON'],
    ['[1]', 'is not a JSON object'],
    ['null', 'is not a JSON object'],
    ['{"b":"y","label":1}', '"a" must be a text'],
    ['{"a":"x","b":5,"label":1}', '"b" must be a text'],
    ['{"a":"x","b":"y"}', '"label" must be 1 or 0'],
    ['{"a":"x","b":"y","label":"yes"}', '"label" must be 1 or 0'],
    ['{"a":"x","b":"y","label":1,"kind":3}', '"kind" must be a text'],
  ])('%s %s', (text, why) => {
    expect(parsePairLine(text, 3)).toEqual({ line: 3, why });
  });
});

describe('a file of pairs', () => {
  const lines = [good('1'), '', '{', good('4', 0), '{"a":1}', good('6')].join('\r\n');

  it.each(['pairs.jsonl', 'pairs.jsonl.gz'])(
    '%s: good lines are read, bad ones named with their number',
    async (name) => {
      const path = file(name, name.endsWith('.gz') ? gzipSync(lines) : lines);
      const { pairs, malformed } = await readPairFile(path);
      expect(pairs.map(({ line, a }) => [line, a])).toEqual([
        [1, '1'],
        [4, '4'],
        [6, '6'],
      ]);
      expect(malformed).toEqual([
        { line: 3, why: 'is not JSON' },
        { line: 5, why: '"a" must be a text' },
      ]);
    },
  );

  it.each(['many.jsonl', 'many.jsonl.gz'])('%s: is read no further than asked', async (name) => {
    const text = `${Array.from({ length: 20_000 }, (_, at) => good(`${at}`)).join('\n')}\n{`;
    const { pairs, malformed } = await readPairFile(file(name, name.endsWith('.gz') ? gzipSync(text) : text), 3);
    expect(pairs.map(({ a }) => a)).toEqual(['0', '1', '2']);
    expect(malformed).toEqual([]);
  });

  it('may hold characters of several bytes, wherever a piece ends', async () => {
    const texts = Array.from({ length: 9_000 }, (_, at) => `${'x'.repeat(at % 7)}日本語🙂`);
    const { pairs } = await readPairFile(file('wide.jsonl', texts.map((text) => good(text)).join('\n')));
    expect(pairs.map(({ a }) => a)).toEqual(texts);
  });

  it('that is cut off says so, with the line', async () => {
    const text = Array.from({ length: 4_000 }, (_, at) => good(((at * 2_654_435_761) % 2 ** 32).toString(36))).join(
      '\n',
    );
    const whole = gzipSync(text);
    const path = file('cut.jsonl.gz', whole.subarray(0, Math.floor(whole.length / 2)));
    await expect(readPairFile(path)).rejects.toThrow(
      /cut\.jsonl\.gz cannot be read beyond line \d+: the compressed data are cut off/,
    );
  });

  it.each([
    [() => file('plain.jsonl.gz', 'not gzip'), /not gzip, or damaged/],
    [() => join(dir, 'nothing.jsonl'), /there is no such file/],
    [() => join(dir, 'nothing.jsonl.gz'), /there is no such file/],
    [() => dir, /it is a folder/],
  ])('that cannot be read says why: %#', async (path, why) => {
    await expect(readPairFile(path())).rejects.toThrow(why);
  });
});
