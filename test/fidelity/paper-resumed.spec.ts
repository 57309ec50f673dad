import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Report } from '@reprise/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** `simulate paper` as the process that users run, killed without warning at a chosen point. */
const cli = fileURLToPath(new URL('../../apps/cli/dist/main.js', import.meta.url));

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'reprise-killed-'));
  // The process kills itself, so that where it dies does not depend on the speed of the machine.
  writeFileSync(
    join(dir, 'die.mjs'),
    `import fs from 'node:fs';
     import promises from 'node:fs/promises';
     import { syncBuiltinESMExports } from 'node:module';
     const { appendFileSync } = fs;
     const { rename } = promises;
     let [notes, files] = [Number(process.env.DIE_IN_NOTE), Number(process.env.DIE_BEFORE_FILE)];
     const die = () => process.kill(process.pid, 'SIGKILL');
     fs.appendFileSync = (path, text) => {
       if (--notes === 0) { appendFileSync(path, text.slice(0, text.length >> 1)); die(); }
       appendFileSync(path, text);
     };
     promises.rename = (from, to) => {
       if (--files === 0) die();
       return rename(from, to);
     };
     syncBuiltinESMExports();`,
  );
});
afterAll(() => rmSync(dir, { recursive: true }));

function run(out: string, die: Readonly<Record<string, string>> = {}) {
  const args = ['--import', pathToFileURL(join(dir, 'die.mjs')).href, cli];
  const { signal, status, stderr } = spawnSync(
    process.execPath,
    [...args, 'simulate', 'paper', 'two-tier-width', '--threads', '2', '--out', out],
    { cwd: dir, encoding: 'utf8', env: { ...process.env, ...die } },
  );
  return { signal, status, stderr };
}

const names = (out: string): string[] => readdirSync(join(dir, out)).sort();
const read = (out: string, name: string): string => readFileSync(join(dir, out, name), 'utf8');

describe('a run of `simulate paper` that is killed', { timeout: 300_000 }, () => {
  it('goes on where it was, gives the same report as one that was not, and leaves nothing half-written', () => {
    expect(run('whole').status).toBe(0);
    expect(run('killed', { DIE_IN_NOTE: '5' }).signal).toBe('SIGKILL');
    expect(names('killed')).toEqual([expect.stringMatching(/^\.finished-/)]);
    const again = run('killed', { DIE_BEFORE_FILE: '2' });
    expect([again.signal, again.stderr]).toEqual(['SIGKILL', expect.stringContaining('going on with 4 finished runs')]);
    expect(names('killed').filter((name) => name.endsWith('.part'))).toHaveLength(1);
    const last = run('killed');
    expect([last.status, last.stderr]).toEqual([0, expect.stringContaining('going on with 12 finished runs')]);

    expect(names('killed')).toEqual(names('whole'));
    for (const name of names('whole').filter((each) => each.endsWith('.csv')))
      expect(read('killed', name)).toBe(read('whole', name));
    const [whole, killed] = ['whole', 'killed'].map((out) => JSON.parse(read(out, 'report.json')) as Report);
    expect(killed).toEqual({
      ...whole,
      provenance: { ...whole?.provenance, madeAt: expect.any(String), wallSeconds: expect.any(Number) },
    });
  });
});
