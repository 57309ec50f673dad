import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * A file that appears whole or not at all: written beside its place, then renamed. Creates its folder, and removes what writers of the same file
 * left there that were killed.
 */
export async function writeFileWhole(
  path: string,
  content: string | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await removeAbandoned(path);
  const unfinished = join(dirname(path), `.${basename(path)}.${process.pid}-${randomBytes(4).toString('hex')}.part`);
  try {
    const file = await open(unfinished, 'wx');
    try {
      await writeFile(file, content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function removeAbandoned(path: string): Promise<void> {
  const prefix = `.${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(prefix) || !name.endsWith('.part')) continue;
    const writer = /^(\d+)-[0-9a-f]{8}\.part$/.exec(name.slice(prefix.length))?.[1];
    if (writer !== undefined && !isRunning(Number(writer))) await rm(join(dirname(path), name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
