import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { documents } from './documents.js';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** As `npx prettier` would write it: pages that it is told to ignore stay as they were made. */
async function format(path: string, content: string): Promise<string> {
  const file = join(root, path);
  const { ignored } = await prettier.getFileInfo(file, { ignorePath: join(root, '.prettierignore') });
  return ignored ? content : prettier.format(content, { ...(await prettier.resolveConfig(file)), filepath: file });
}

const read = (path: string): string => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '');

/** The other generator's own check, when it is built; true when nothing differs. */
function luaIsCurrent(): boolean {
  const generator = join(root, 'tools', 'lua-build', 'dist', 'cli.js');
  if (!existsSync(generator)) {
    process.stderr.write('tools/lua-build is not built: what it generates was not checked.\n');
    return true;
  }
  return spawnSync(process.execPath, [generator, '--check'], { cwd: root, stdio: 'inherit' }).status === 0;
}

/** @returns exit code: 1 when `check` is on and a file is not what its source makes of it */
async function main(check: boolean): Promise<number> {
  const differing: string[] = [];
  for (const { path, make } of documents) {
    const current = read(path);
    const content = await format(path, make(current));
    if (content === current) continue;
    differing.push(path);
    if (check) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  if (!check) {
    process.stdout.write(`docs-build: ${documents.length} documents, ${differing.length} changed\n`);
    return 0;
  }
  const lua = luaIsCurrent();
  if (differing.length === 0) return lua ? 0 : 1;
  process.stderr.write(`Generated documents differ from their sources (npm run docs:build):\n`);
  for (const path of differing) process.stderr.write(`  ${path}\n`);
  return 1;
}

process.exitCode = await main(process.argv.includes('--check'));
