import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  createWriteStream,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createGzip, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** `import` and `simulate --trace` as processes whose heap is a fraction of the trace: what held on to its lines would die. */
const cli = fileURLToPath(new URL('../../apps/cli/dist/main.js', import.meta.url));
const lines = 1_000;
const heapMegabytes = 64;
const answer = 'A sentence that says little, but says it at length. '.repeat(1_600);

const line = (n: number): string =>
  `${JSON.stringify({
    id: `x${n}`,
    time: 1_760_000_000 + n,
    request: { model: 'm', messages: [{ role: 'user', content: `Question ${n % 50}` }] },
    response: { choices: [{ message: { role: 'assistant', content: `${n % 50}: ${answer}` }, finish_reason: 'stop' }] },
  })}\n`;

function* trace(most = lines, broken = 0): Generator<string> {
  for (let n = 1; n <= most; n++) yield n === broken ? `${line(n).slice(0, 200)}\n` : line(n);
}

const write = (name: string, content: Iterable<string>): Promise<void> =>
  pipeline(Readable.from(content), createGzip({ level: 1 }), createWriteStream(join(dir, name)));

let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'reprise-big-'));
  await write('big.jsonl.gz', trace());
});
afterAll(() => rmSync(dir, { recursive: true }));

function reprise(...words: readonly string[]) {
  const args = [`--max-old-space-size=${heapMegabytes}`, cli, ...words];
  const { status, stderr, stdout } = spawnSync(process.execPath, args, { cwd: dir, encoding: 'utf8' });
  return { status, stderr, stdout };
}

describe('a packed trace that is larger than the memory', { timeout: 300_000 }, () => {
  it('is imported a line at a time', () => {
    const { status, stderr } = reprise('import', 'big.jsonl.gz', '--out', 'small.jsonl.gz');
    expect([status, stderr]).toEqual([0, expect.stringContaining(`${lines} exchanges`)]);
    const written = gunzipSync(readFileSync(join(dir, 'small.jsonl.gz')));
    expect(written.length).toBeGreaterThan(1.2 * heapMegabytes * 2 ** 20);
    expect(written.subarray(written.lastIndexOf('"Question')).toString()).toContain(`Question ${lines % 50}`);
  });

  it('is named with its line where it is cut off or malformed, and nothing half-written is left', () => {
    copyFileSync(join(dir, 'big.jsonl.gz'), join(dir, 'cut.jsonl.gz'));
    truncateSync(join(dir, 'cut.jsonl.gz'), statSync(join(dir, 'big.jsonl.gz')).size >> 2);
    writeFileSync(join(dir, 'torn.jsonl'), [...trace(9, 7)].join(''));
    const before = readdirSync(dir).sort();
    const cut = reprise('import', 'cut.jsonl.gz', '--out', 'never.jsonl.gz');
    expect([cut.status, cut.stderr]).toEqual([
      1,
      expect.stringMatching(/cut\.jsonl\.gz, line \d{3,4}: the file ends in the middle of its compressed data/),
    ]);
    const torn = reprise('simulate', '--trace', 'torn.jsonl', '--out', 'report');
    expect([torn.status, torn.stderr]).toEqual([1, expect.stringContaining('torn.jsonl, line 7: is not JSON')]);
    expect(readdirSync(dir).sort()).toEqual(before);
  });
});
