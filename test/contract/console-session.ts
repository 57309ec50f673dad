import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Redis } from 'ioredis';

/** Plays lines as a person types them, one after the other; what was printed after each. */
export type Player = (lines: readonly string[]) => Promise<readonly string[]>;

/** Splits a line as redis-cli does: words, single quotes, double quotes. */
function words(line: string): string[] {
  return [...line.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
}

/** What redis-cli --raw prints for a reply. */
function print(reply: unknown): string {
  if (Array.isArray(reply)) return reply.map(print).join('\n');
  return String(reply);
}

/** Plays through a client library, where there is no redis-cli. */
export function byClient(client: Redis): Player {
  return async (lines) => {
    const answers: string[] = [];
    for (const line of lines) {
      const [command = '', ...args] = words(line);
      answers.push(await client.call(command, ...args).then(print, (error: Error) => error.message));
    }
    return answers;
  };
}

/** Pastes the lines into one `redis-cli --raw`; an ECHO between them tells the answers apart. */
export function byRedisCli(path: string, port: number): Player {
  return async (lines) => {
    const mark = randomUUID();
    const child = spawn(path, ['--raw', '-p', String(port)], { stdio: ['pipe', 'pipe', 'inherit'] });
    const printed = text(child.stdout);
    child.stdin.end(lines.map((line) => `${line}\nECHO ${mark}\n`).join(''));
    await once(child, 'close');
    const answers = (await printed).split(`${mark}\n`);
    if (answers.pop() !== '') throw new Error('redis-cli ended before the session did');
    return answers.map((answer) => answer.trimEnd());
  };
}

/** Plays the `> …` lines of every console block of a page and puts the answers after them. */
export async function playPage(page: string, play: Player): Promise<string> {
  const rows: { text: string; command: boolean }[] = [];
  let inside = false;
  for (const line of page.split('\n')) {
    if (line.startsWith('```')) inside = line === '```console';
    const command = inside && line.startsWith('> ');
    if (!inside || line.startsWith('```') || command) rows.push({ text: line, command });
  }
  const answers = [...(await play(rows.filter((row) => row.command).map((row) => row.text.slice(2))))];
  return rows
    .flatMap((row) => (row.command ? [row.text, ...(answers.shift() ?? '').split('\n')] : [row.text]))
    .map((line) => (line.startsWith('> ') ? line : line.trimEnd()))
    .join('\n');
}
