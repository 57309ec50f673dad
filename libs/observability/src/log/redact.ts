/** Names of fields whose value is never written, whatever it is: text of callers, answers, keys. */
const forbidden = new Set(
  [
    'answer',
    'apiKey',
    'api_key',
    'arguments',
    'authorization',
    'body',
    'completion',
    'content',
    'cookie',
    'headers',
    'history',
    'input',
    'key',
    'messages',
    'note',
    'output',
    'password',
    'prompt',
    'question',
    'query',
    'secret',
    'set-cookie',
    'system',
    'text',
    'token',
    'vector',
    'x-api-key',
  ].map((name) => name.toLowerCase()),
);

const MAX_CHARS = 300;
const MAX_DEPTH = 4;
const MAX_MEMBERS = 50;
const HIDDEN = '[redacted]';

/** A text without what looks like a key: bearer tokens, provider keys, passwords in URLs. */
export function scrub(text: string): string {
  const short = text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
  return short
    .replace(/\b(Bearer|Basic)\s+[^\s,;"']+/gi, `$1 ${HIDDEN}`)
    .replace(/\b(sk|pk|rk|key|tok|rp)[-_][A-Za-z0-9_-]{6,}/g, HIDDEN)
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^/\s@]*@/gi, `$1${HIDDEN}@`);
}

/** An error as it is logged: quotations in its message may be a caller's text (JSON.parse does that) and are left out. */
function errorFields(error: Error, depth: number): Record<string, unknown> {
  const quoted = /(["'`“])(?:(?!\1)[^]){12,}?["'`”]/g;
  const message = error instanceof SyntaxError ? HIDDEN : scrub(error.message.replace(quoted, '"…"'));
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const code = (error as { code?: unknown }).code;
  return {
    name: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    message,
    stack: frames.slice(0, 12).map((line) => line.trim()),
    ...(error.cause instanceof Error && depth < MAX_DEPTH ? { cause: errorFields(error.cause, depth + 1) } : {}),
  };
}

/** A value as it may be written. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return scrub(value);
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return typeof value === 'function' ? undefined : value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
  if (value instanceof Error) return errorFields(value, depth);
  if (ArrayBuffer.isView(value)) return HIDDEN;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.slice(0, MAX_MEMBERS).map((member) => redact(member, depth + 1));
  const safe: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value).slice(0, MAX_MEMBERS)) {
    safe[name] = forbidden.has(name.toLowerCase()) ? HIDDEN : redact(member, depth + 1);
  }
  return safe;
}
