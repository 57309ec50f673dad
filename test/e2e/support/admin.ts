import { createHash } from 'node:crypto';
import { requestHeaders } from '@reprise/contracts';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The namespace of requests with this key and these headers, where no tenants are listed. */
export function namespaceOf(headers: Readonly<Record<string, string>>, key = 'test-key'): string {
  const space = headers[requestHeaders.namespace];
  const base = key === '' ? 'anonymous' : `k-${sha256(key).slice(0, 16)}`;
  return space === undefined ? base : `${base}:${space}`;
}

export interface AdminTarget {
  readonly url: string;
  readonly adminToken: string;
}

/** A call of /admin/api/namespaces/{ns}/…; throws with the body when it fails. */
export async function onNamespace<T = unknown>(
  target: AdminTarget,
  ns: string,
  path: string,
  method = 'GET',
  body?: unknown,
): Promise<T> {
  const reply = await fetch(`${target.url}/admin/api/namespaces/${encodeURIComponent(ns)}/${path}`, {
    method,
    headers: { authorization: `Bearer ${target.adminToken}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
  return JSON.parse(text) as T;
}

export const setPolicy = (target: AdminTarget, ns: string, policy: unknown): Promise<{ version: number }> =>
  onNamespace(target, ns, 'policy', 'PUT', policy);

/** The samples of one metric: label text → value. */
export async function metric(url: string, name: string): Promise<Map<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    const found = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (found?.[1] === name) samples.set(found[2] ?? '', Number(found[3]));
  }
  return samples;
}
