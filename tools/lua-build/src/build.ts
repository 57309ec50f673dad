import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { referencePage } from './emit-docs.js';
import { engineLibrary, opsLibrary } from './emit-lua.js';
import { bindingFile, bindingSource, librariesSource, statusSource } from './emit-ts.js';
import type { Sources } from './model.js';
import { parseCommand, parseFragment, parseStatuses } from './parse.js';

const generatedDir = 'libs/redis-store/src/generated';

function luaFiles(root: string, folder: string): { path: string; name: string; source: string }[] {
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.lua'))
    .sort()
    .map((file) => ({
      path: `${folder}/${file}`,
      name: file.slice(0, -'.lua'.length),
      source: readFileSync(join(root, folder, file), 'utf8'),
    }));
}

/** Reads and parses everything below `root`/lua. */
export function readSources(root: string): Sources {
  const statusPath = 'lua/statuses.txt';
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return {
    version: manifest.version,
    statuses: parseStatuses(statusPath, readFileSync(join(root, statusPath), 'utf8')),
    commands: luaFiles(root, 'lua/commands').map((f) => parseCommand(f.path, f.name, 'command', f.source)),
    ops: luaFiles(root, 'lua/ops').map((f) => parseCommand(f.path, f.name, 'op', f.source)),
    fragments: new Map(luaFiles(root, 'lua/includes').map((f) => [f.name, parseFragment(f.path, f.name, f.source)])),
  };
}

/** Every generated file: path below the root → content (TypeScript and Markdown not yet formatted). */
export function buildFiles(sources: Sources): Map<string, string> {
  const engine = engineLibrary(sources);
  const ops = opsLibrary(sources);
  const files = new Map<string, string>();
  for (const command of sources.commands)
    files.set(`${generatedDir}/${bindingFile(command.name)}`, bindingSource(command, engine, sources));
  files.set(`${generatedDir}/statuses.gen.ts`, statusSource(sources));
  files.set(`${generatedDir}/libraries.gen.ts`, librariesSource(engine, ops, sources.version));
  files.set('redis/functions/reprise.lua', engine.source);
  if (ops) files.set('redis/functions/reprise-ops.lua', ops.source);
  files.set('docs/reference/scripts.md', referencePage(sources, engine));
  return files;
}

/** Generated files that lie in the folders of generated files but are not made any more. */
export function staleFiles(root: string, files: ReadonlyMap<string, string>): string[] {
  return [generatedDir, 'redis/functions'].flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${folder}/${entry.name}`)
      .filter((path) => !files.has(path)),
  );
}
