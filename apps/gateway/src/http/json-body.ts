import { isUtf8 } from 'node:buffer';
import { RepriseError } from '@reprise/kernel';
import { standsTwice } from './duplicate-members.js';

/** Why a body that parses is still not one value to everyone; words of docs/reference/reasons.md. */
export type BodyFlaw = 'ill-formed-text' | 'duplicate-keys';

/** The JSON value of a raw body. Throws RP_ERR_BAD_JSON, RP_ERR_BAD_REQUEST for an empty one. */
export function parseJson(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) throw new RepriseError('RP_ERR_BAD_REQUEST', 'The body is empty.');
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new RepriseError('RP_ERR_BAD_JSON');
  }
}

/**
 * A parsed body that must not become a key: bytes that are no UTF-8 are all read as the same sign, and of a member that
 * stands twice another parser may take the other value.
 */
export function bodyFlaw(body: unknown, parsed: unknown): BodyFlaw | undefined {
  if (!Buffer.isBuffer(body)) return undefined;
  if (!isUtf8(body)) return 'ill-formed-text';
  return standsTwice(body, parsed) ? 'duplicate-keys' : undefined;
}

interface Schema<T> {
  safeParse(
    value: unknown,
  ):
    | { success: true; data: T }
    | { success: false; error: { issues: readonly { path: PropertyKey[]; message: string }[] } };
}

/** The body under a zod schema. Throws RP_ERR_BAD_REQUEST naming the first wrong member. */
export function parseBody<T>(schema: Schema<T>, body: unknown): T {
  const parsed = schema.safeParse(parseJson(body));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = issue?.path.map(String).join('.') ?? '';
  throw new RepriseError(
    'RP_ERR_BAD_REQUEST',
    `${path === '' ? 'body' : path}: ${issue?.message ?? 'invalid'}.`,
    path === '' ? null : path,
  );
}
