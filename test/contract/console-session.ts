import type { Redis } from 'ioredis';

/** Splits a line as redis-cli does: words, single quotes, double quotes. */
export function words(line: string): string[] {
  return [...line.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
}

/** What redis-cli --raw prints for a reply. */
function print(reply: unknown): string {
  if (Array.isArray(reply)) return reply.map(print).join('\n');
  return String(reply);
}

/** Sends the `> …` lines of every console block of a page and puts the answers after them. */
export async function playPage(client: Redis, page: string): Promise<string> {
  const lines: string[] = [];
  let inside = false;
  for (const line of page.split('\n')) {
    if (line.startsWith('```')) inside = line === '```console';
    if (!inside || line.startsWith('```')) lines.push(line);
    if (!inside || !line.startsWith('> ')) continue;
    lines.push(line);
    const [command = '', ...args] = words(line.slice(2));
    const answer = await client.call(command, ...args).then(print, (error: Error) => error.message);
    lines.push(...answer.split('\n').map((text) => text.trimEnd()));
  }
  return lines.join('\n');
}
