import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { causeOf } from '../gateway/chat-client.js';

const LANES = 8;

/** The admin token: the given one, or that of the file which the gateway made beside its configuration. */
export function adminToken(given: string | undefined, file: string, cwd: string): string | undefined {
  if (given !== undefined) return given;
  try {
    return readFileSync(resolve(cwd, file), 'utf8').trim();
  } catch {
    return undefined;
  }
}

/**
 * Purges every namespace whose sub-namespace begins with `prefix`.
 * @returns a sentence that says what became of the entries
 */
export async function purgeRun(url: string, prefix: string, token: string | undefined): Promise<string> {
  const stay = 'the entries of this run stay until they expire';
  if (token === undefined) return `${stay}: no admin token was given or found (--admin-token).`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  try {
    const listed = await fetch(`${url}/admin/api/namespaces`, { headers });
    if (!listed.ok) return `${stay}: the admin API answered ${listed.status}.`;
    const { namespaces } = (await listed.json()) as { namespaces: string[] };
    const mine = namespaces.filter((name) => name.includes(prefix));
    if (mine.length === 0) return `${stay}: the admin API lists none of its sub-namespaces.`;
    const failed = await purgeAll(url, mine, headers);
    return failed === 0
      ? `the entries of this run were removed (${mine.length} sub-namespaces).`
      : `${stay} in ${failed} of ${mine.length} sub-namespaces that could not be purged.`;
  } catch (error) {
    return `${stay}: the admin API cannot be used (${causeOf(error)}).`;
  }
}

async function purgeAll(url: string, names: readonly string[], headers: Record<string, string>): Promise<number> {
  let next = 0;
  let failed = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < names.length; at = next++) {
      const response = await fetch(`${url}/admin/api/namespaces/${encodeURIComponent(names[at] ?? '')}/purge`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ all: true, dry_run: false }),
      });
      await response.body?.cancel();
      if (!response.ok) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return failed;
}
