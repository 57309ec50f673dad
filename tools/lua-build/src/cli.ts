import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { buildFiles, readSources, staleFiles } from './build.js';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

async function format(path: string, content: string): Promise<string> {
  if (path.endsWith('.lua')) return content;
  const options = await prettier.resolveConfig(join(root, path));
  return prettier.format(content, { ...options, filepath: join(root, path) });
}

function current(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return undefined;
  }
}

/** Lints the flattened libraries; false when luacheck is not installed (CI has it). */
function luacheck(): boolean {
  const files = ['redis/functions/reprise.lua', 'redis/functions/reprise-ops.lua'].filter(
    (f) => current(f) !== undefined,
  );
  try {
    execFileSync('luacheck', ['--config', 'lua/.luacheckrc', '--quiet', ...files], { cwd: root, stdio: 'inherit' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw new Error('luacheck found something in the flattened Lua.', { cause: error });
  }
  return true;
}

async function main(check: boolean): Promise<number> {
  for (const folder of ['libs/redis-store/src/generated', 'redis/functions', 'docs/reference'])
    mkdirSync(join(root, folder), { recursive: true });
  const files = buildFiles(readSources(root));
  const differing: string[] = [];
  for (const [path, raw] of files) {
    const content = await format(path, raw);
    if (current(path) === content) continue;
    differing.push(path);
    if (!check) writeFileSync(join(root, path), content);
  }
  for (const path of staleFiles(root, files)) {
    differing.push(path);
    if (!check) rmSync(join(root, path));
  }
  if (check && differing.length > 0) {
    process.stderr.write(`Generated files differ from lua/ (run node tools/lua-build/dist/cli.js):\n`);
    for (const path of differing) process.stderr.write(`  ${path}\n`);
    return 1;
  }
  const linted = luacheck();
  process.stdout.write(
    `lua-build: ${files.size} files, ${differing.length} changed, luacheck ${linted ? 'clean' : 'not installed, not run'}\n`,
  );
  return 0;
}

process.exitCode = await main(process.argv.includes('--check'));
