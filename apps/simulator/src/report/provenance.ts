import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { repoRoot } from '../data-dir.js';
import type { Provenance } from './report.types.js';

const run = promisify(execFile);

async function git(...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', args, { cwd: repoRoot, maxBuffer: 1 << 28 });
  return stdout.trim();
}

/** The commit of the clone that this code is from. */
export async function commitOf(): Promise<string> {
  try {
    const changed = await git('status', '--porcelain', '--untracked-files=no');
    return (await git('rev-parse', '--short=12', 'HEAD')) + (changed === '' ? '' : '+changes');
  } catch {
    return 'unknown';
  }
}

/** Name of the code that runs: its commit, with a hash of what was changed or added since; outside of a clone a hash of what was built. */
export async function codeState(): Promise<string> {
  try {
    const [commit, changed, added] = await Promise.all([
      git('rev-parse', '--short=12', 'HEAD'),
      git('diff', 'HEAD', '--binary', '--', ...codeFolders),
      git('ls-files', '--others', '--exclude-standard', '--', ...codeFolders),
    ]);
    if (changed === '' && added === '') return commit;
    const hash = createHash('sha256').update(changed);
    for (const name of added.split('\n').filter((each) => each !== ''))
      hash.update(`\n${name}\n`).update(readFileSync(join(repoRoot, name)));
    return `${commit}-${hash.digest('hex').slice(0, 12)}`;
  } catch {
    return `built-${builtHash()}`;
  }
}

function builtHash(): string {
  const hash = createHash('sha256');
  for (const folder of ['apps', 'libs']) {
    const names = readdirSync(join(repoRoot, folder), { recursive: true }).map(String).sort();
    for (const name of names.filter((each) => /^[^/]+\/dist\/.*\.js$/.test(each)))
      hash.update(`\n${name}\n`).update(readFileSync(join(repoRoot, folder, name)));
  }
  return hash.digest('hex').slice(0, 12);
}

const codeFolders = ['apps', 'libs', 'package-lock.json'];

function versionOf(name: string): string {
  const entry = createRequire(import.meta.url).resolve(name);
  const root = entry.slice(0, entry.lastIndexOf(join('node_modules', name))) || dirname(entry);
  const file = join(root, 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

const ownVersion = (): string =>
  (JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8')) as { version: string }).version;

/** Where a report comes from; `startedMs` is the start of the run by `performance.now()`. */
export async function provenanceOf(
  given: Pick<Provenance, 'config' | 'seeds' | 'trace'>,
  startedMs: number,
): Promise<Provenance> {
  return {
    madeAt: new Date().toISOString(),
    commit: await commitOf(),
    versions: { reprise: ownVersion(), node: process.version, 'chart.js': versionOf('chart.js') },
    ...given,
    wallSeconds: (performance.now() - startedMs) / 1000,
  };
}

/** sha256 of a file's bytes. */
export async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
