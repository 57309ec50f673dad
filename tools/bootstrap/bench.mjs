// `npm run bench`: everything that a benchmark needs, then bench/run.mjs.
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BootstrapError, createContext, repoRoot, sentence } from './context.mjs';
import { whenNpmIsGone } from './npm-watch.mjs';
import { prepareForTests } from './prepare.mjs';
import { runNode } from './run.mjs';

/**
 * @param {string[]} args passed to bench/run.mjs
 * @returns {Promise<number>} exit code
 */
export async function bench(args) {
  const script = join(repoRoot, 'bench', 'run.mjs');
  if (!existsSync(script)) throw new BootstrapError(`There is no benchmark: ${script} does not exist.`);
  whenNpmIsGone(() => process.exit(1));
  const dir = mkdtempSync(join(tmpdir(), 'reprise-bench-'));
  const prepared = await prepareForTests(createContext(), { dir, dtypes: ['q8'], settings: {} });
  try {
    return await runNode([script, ...args], { env: prepared.env, cwd: repoRoot });
  } finally {
    await prepared.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  try {
    process.exitCode = await bench(process.argv.slice(2));
  } catch (error) {
    console.error(sentence(error));
    process.exitCode = 1;
  }
}
