// `npm run check`: everything that can be said without running the product, cheap first, stopping at the first failure.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, repoRoot, sentence } from './context.mjs';
import { ensureDependencies } from './install.mjs';
import { runInherited, which } from './run.mjs';

/** @typedef {{ name: string, command: string, args: string[], when?: () => string }} Step `when` gives the reason to leave the step out, or '' */

/**
 * The script behind a package's command, so that neither npx nor a shell is needed.
 * @param {string} name package
 * @param {string} [command]
 */
function binOf(name, command = name) {
  const dir = join(repoRoot, 'node_modules', name);
  /** @type {{ bin?: string | Record<string, string> }} */
  const { bin } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  const file = typeof bin === 'string' ? bin : bin?.[command];
  if (!file) throw new Error(`${name} has no command ${command}`);
  return join(dir, file);
}

/** @param {string} name @param {string} dependency @param {string[]} args @param {string} [command] @returns {Step} */
const node = (name, dependency, args, command) => ({
  name,
  command: process.execPath,
  args: [binOf(dependency, command), ...args],
});

/** @param {string} dir @returns {string[]} */
function luaFiles(dir) {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.lua'))
    .map((file) => join(dir, file));
}

/** @returns {Step[]} */
function steps() {
  // The flattened library is what Redis runs; the fragments are linted as part of it.
  const lua = luaFiles(join(repoRoot, 'redis', 'functions'));
  // It also runs the check of tools/lua-build.
  const generate = join(repoRoot, 'tools', 'docs-build', 'dist', 'cli.js');
  return [
    node('prettier', 'prettier', ['--check', '--log-level=warn', '.']),
    node('eslint', 'eslint', ['.']),
    // With the tests and the bootstrap: tsconfig.json refers to them too.
    node('tsc -b', 'typescript', ['-b'], 'tsc'),
    node('boundaries', 'dependency-cruiser', ['--config', '.dependency-cruiser.cjs', 'libs', 'apps'], 'depcruise'),
    node('knip', 'knip', []),
    {
      name: 'luacheck',
      command: 'luacheck',
      args: ['--config', 'lua/.luacheckrc', '--quiet', ...lua],
      when: () =>
        which('luacheck', process.env)
          ? lua.length > 0
            ? ''
            : 'there is no Lua yet'
          : 'luacheck is not installed (Debian: apt-get install lua-check)',
    },
    {
      name: 'generated files',
      command: process.execPath,
      args: [generate, '--check'],
      when: () => (existsSync(generate) ? '' : 'tools/docs-build is not built'),
    },
  ];
}

/** @returns {Promise<number>} exit code of the first step that fails */
async function check() {
  await ensureDependencies(createContext());
  for (const { name, command, args, when } of steps()) {
    const without = when?.() ?? '';
    if (without) {
      console.log(`check ${name}: left out, ${without}`);
      continue;
    }
    const startMs = Date.now();
    const code = await runInherited(command, args, { cwd: repoRoot });
    const seconds = ((Date.now() - startMs) / 1000).toFixed(1);
    console.log(`check ${name}: ${code === 0 ? 'ok' : `failed with code ${code}`} (${seconds} s)`);
    if (code !== 0) return code;
  }
  return 0;
}

try {
  process.exitCode = await check();
} catch (error) {
  console.error(sentence(error));
  process.exitCode = 1;
}
