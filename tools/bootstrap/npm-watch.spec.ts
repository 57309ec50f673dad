import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAlive } from './lock.mjs';
import { tempDir, until } from './spec-support.js';

/** npm as it is: a process that runs a shell that runs our script; the script prints its pid. */
function underNpm(env: NodeJS.ProcessEnv) {
  const script = join(tempDir(), 'script.mjs');
  const watch = new URL('./npm-watch.mjs', import.meta.url).href;
  writeFileSync(
    script,
    `import { whenNpmIsGone } from '${watch}';
whenNpmIsGone(() => process.exit(0));
setInterval(() => {}, 1_000);
console.log(process.pid);`,
  );
  // The second command keeps the shell from replacing itself by the script.
  const npm = `require('child_process').spawn('/bin/sh', ['-c', '${process.execPath} ${script}; true'], { stdio: 'inherit' }); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', npm], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const state = { pid: 0 };
  child.stdout.once('data', (text: Buffer) => (state.pid = Number(text.toString())));
  onTestFinished(() => {
    child.kill('SIGKILL');
    if (state.pid > 0 && isAlive(state.pid)) process.kill(state.pid, 'SIGKILL');
  });
  return { child, state };
}

describe('under npm', () => {
  it('a start notices that npm was killed outright', async () => {
    const { child, state } = underNpm({ npm_lifecycle_event: 'start' });
    await until('the script runs', () => state.pid > 0);
    child.kill('SIGKILL');
    await until('the script is gone', () => !isAlive(state.pid));
  });

  it('a start without npm outlives what started it', async () => {
    const { child, state } = underNpm({});
    await until('the script runs', () => state.pid > 0);
    const gone = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await gone;
    // Longer than the watch's period.
    await new Promise((done) => setTimeout(done, 2_500));
    expect(isAlive(state.pid)).toBe(true);
  });
});
