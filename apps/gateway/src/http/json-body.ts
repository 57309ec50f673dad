import { RepriseError } from '@reprise/kernel';

/** The JSON value of a raw body. Throws RP_ERR_BAD_JSON, RP_ERR_BAD_REQUEST for an empty one. */
export function parseJson(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) throw new RepriseError('RP_ERR_BAD_REQUEST', 'The body is empty.');
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new RepriseError('RP_ERR_BAD_JSON');
  }
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
