export interface ChatReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** x-cache and x-cache-reason. */
  readonly cache: string | null;
  readonly reason: string | null;
  /** The message's content, when the body is a completion. */
  readonly content: string | undefined;
}

export const model = 'reprise-demo';

type Body = Readonly<Record<string, unknown>>;

/** A user's first message, or the whole request. */
export const ask = (text: string, extra: Body = {}): Body => ({
  model,
  messages: [{ role: 'user', content: text }],
  ...extra,
});

export async function post(
  url: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<ChatReply> {
  const reply = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer test-key', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
  });
  const text = await reply.text();
  return {
    status: reply.status,
    headers: reply.headers,
    text,
    cache: reply.headers.get('x-cache'),
    reason: reply.headers.get('x-cache-reason'),
    content: contentOf(text),
  };
}

export const chat = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<ChatReply> =>
  post(url, '/v1/chat/completions', body, headers);

function contentOf(text: string): string | undefined {
  try {
    const body = JSON.parse(text) as { choices?: { message?: { content?: string } }[] };
    return body.choices?.[0]?.message?.content;
  } catch {
    return undefined;
  }
}

/** A sub-namespace of its own, so that tests on one server do not meet. */
let spaces = 0;
export const ownSpace = (name: string): Record<string, string> => ({
  'x-reprise-namespace': `${name}-${process.pid}-${Date.now().toString(36)}-${spaces++}`,
});
