// `npm test`: everything that the tests need, then all tiers; the last line is `N passed, N failed, N skipped`.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContext, repoRoot, sentence } from './context.mjs';
import { whenNpmIsGone } from './npm-watch.mjs';
import { prepareForTests } from './prepare.mjs';
import { runNode } from './run.mjs';

const reporter = fileURLToPath(new URL('./closing-line.reporter.mjs', import.meta.url));

/**
 * @param {string[]} args passed to vitest
 * @returns {Promise<number>} exit code
 */
async function test(args) {
  const controller = new AbortController();
  const stop = () => controller.abort(new Error('Stopped.'));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  // The children hold on to us: when we end, they do.
  whenNpmIsGone(() => process.exit(1));
  const dir = mkdtempSync(join(tmpdir(), 'reprise-test-'));
  const closing = join(dir, 'closing-line');
  let line = '0 passed, 1 failed, 0 skipped';
  let code = 1;
  /** @type {(() => Promise<void>) | undefined} */
  let stopRedis;
  try {
    const context = createContext({ signal: controller.signal });
    // Tests may reset the server and look into it; durability is tested with servers of their own.
    const settings = { appendonly: 'no', 'enable-debug-command': 'local' };
    const prepared = await prepareForTests(context, { dir: join(dir, 'redis'), dtypes: ['q8', 'fp32'], settings });
    stopRedis = prepared.stop;
    const vitest = join(repoRoot, 'node_modules', 'vitest', 'vitest.mjs');
    const env = { ...prepared.env, REPRISE_CLOSING_FILE: closing };
    code = await runNode([vitest, 'run', '--reporter=default', `--reporter=${reporter}`, ...args], {
      env,
      cwd: repoRoot,
    });
    if (existsSync(closing)) line = readFileSync(closing, 'utf8').trim();
  } catch (error) {
    console.error(sentence(error));
  } finally {
    await stopRedis?.();
    rmSync(dir, { recursive: true, force: true });
  }
  // A run that failed without a failed test (nothing ran, a crash) must not close as if all were well.
  if (code !== 0) line = line.replace(/, 0 failed,/, ', 1 failed,');
  // For .ci/run, which has more to print before its last line.
  if (process.env['REPRISE_CLOSING_COPY']) writeFileSync(process.env['REPRISE_CLOSING_COPY'], `${line}\n`);
  else console.log(line);
  return code;
}

process.exitCode = await test(process.argv.slice(2));
