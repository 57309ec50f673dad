import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { repoRoot } from './context.mjs';
import { outputOf } from './spec-support.js';

const reporter = fileURLToPath(new URL('./closing-line.reporter.mjs', import.meta.url));
const vitest = join(repoRoot, 'node_modules', 'vitest', 'vitest.mjs');

/** Runs vitest on the given test files with our reporter beside the default one. */
async function runTests(files: Record<string, string>, env: NodeJS.ProcessEnv = {}) {
  // Inside the clone, so that the tests find vitest.
  const root = join(
    repoRoot,
    'node_modules',
    '.cache',
    `closing-line-${process.pid}-${Math.random().toString(36).slice(2)}`,
  );
  mkdirSync(root, { recursive: true });
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(root, name), `import { describe, expect, it, beforeAll } from 'vitest';\n${text}`);
  writeFileSync(join(root, 'vitest.config.mjs'), 'export default { test: { include: ["*.check.mjs"], exclude: [] } };');
  const args = [vitest, 'run', '--root', root, '--reporter=default', `--reporter=${reporter}`];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, REPRISE_CLOSING_FILE: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, out } = await outputOf(child);
  return { code, last: out.trimEnd().split('\n').at(-1), root };
}

describe('the closing line', () => {
  it('is the last line and counts passed, failed and skipped tests', async () => {
    const mixed = `
      it('passes', () => {});
      describe('inner', () => { it('passes too', () => {}); it('fails', () => expect(1).toBe(2)); });
      it.skip('is skipped', () => {});
      it.todo('is to be written');`;
    const { code, last } = await runTests({ 'a.check.mjs': mixed });
    expect(last).toBe('2 passed, 1 failed, 2 skipped');
    expect(code).toBe(1);
  });

  it('counts a file that cannot be loaded and a hook that fails as failures', async () => {
    const { code, last } = await runTests({
      'a.check.mjs': "it('passes', () => {});",
      'b.check.mjs': "import './nowhere.mjs';\nit('never runs', () => {});",
      'c.check.mjs': "beforeAll(() => { throw new Error('no'); });\nit('never runs', () => {});",
    });
    expect(last).toMatch(/^1 passed, 2 failed, \d skipped$/);
    expect(code).toBe(1);
  });

  it('counts an error outside of any test as a failure', async () => {
    const { code, last } = await runTests({
      'a.check.mjs':
        "it('passes', async () => { void Promise.reject(new Error('lost')); await new Promise((r) => setTimeout(r, 50)); });",
    });
    expect(last).toBe('1 passed, 1 failed, 0 skipped');
    expect(code).toBe(1);
  });

  it('goes into a file when asked', async () => {
    const file = join(repoRoot, 'node_modules', '.cache', `closing-${process.pid}`);
    onTestFinished(() => rmSync(file, { force: true }));
    const { code, last } = await runTests({ 'a.check.mjs': "it('passes', () => {});" }, { REPRISE_CLOSING_FILE: file });
    expect(readFileSync(file, 'utf8')).toBe('1 passed, 0 failed, 0 skipped\n');
    expect(last).not.toContain('passed,');
    expect(code).toBe(0);
  });
});
