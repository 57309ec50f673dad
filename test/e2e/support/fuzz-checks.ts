import { expect } from 'vitest';
import type { RawReply, RawRequest } from './raw-http.js';

/** What a caller must never see: a stack, a path, a name of a module. */
const inside = /\n\s*at |node_modules|\/dist\/|\/libs\/|\/apps\/|\.(?:m?js|ts):\d|file:\/\//;

export function checkReply(sent: RawRequest, { status, headers, body }: RawReply): void {
  const text = body.toString('utf8');
  const context = `${sent.method} ${sent.path} → ${status} ${text.slice(0, 300)}`;
  expect(status, context).toBeGreaterThanOrEqual(200);
  if (status >= 200 && status < 300) return;
  expect(text, context).not.toMatch(inside);
  expect(text, context).not.toContain('RP_ERR_INTERNAL');
  if (sent.method !== 'HEAD') checkError(text, context);
  expect(String(headers['content-type']), context).toMatch(/^application\/json/);
}

function checkError(text: string, context: string): void {
  const { error } = JSON.parse(text) as { error?: Record<string, unknown> };
  expect(typeof error?.['message'], context).toBe('string');
  expect(typeof error?.['type'], context).toBe('string');
  expect(error, context).toHaveProperty('code');
  expect(error, context).toHaveProperty('param');
}

interface WireReply {
  readonly status: number;
  readonly body: string;
}

/** The answers that came over one connection, one after the other. */
function* wireReplies(text: string): Generator<WireReply> {
  for (let at = 0; at < text.length;) {
    const headEnd = text.indexOf('\r\n\r\n', at);
    const head = text.slice(at, headEnd < 0 ? undefined : headEnd);
    const status = /^HTTP\/1\.1 ([1-5]\d\d) /.exec(head)?.[1];
    if (headEnd < 0 || status === undefined) throw new Error('no HTTP answer');
    const length = /^content-length: (\d+)/im.exec(head)?.[1];
    const chunked = /^transfer-encoding: chunked/im.test(head);
    const bodyEnd = chunked ? text.indexOf('\r\n0\r\n\r\n', headEnd) + 7 : headEnd + 4 + Number(length ?? 0);
    yield { status: Number(status), body: text.slice(headEnd + 4, bodyEnd) };
    at = bodyEnd;
  }
}

/** Every answer on the wire has a status line, and a body of the API's shape when it says that something is wrong. */
export function checkWire(sent: string, got: string): void {
  const context = `${JSON.stringify(sent.slice(0, 300))} → ${JSON.stringify(got.slice(0, 600))}`;
  expect(got, context).not.toMatch(inside);
  expect(got, context).not.toContain('RP_ERR_INTERNAL');
  let replies: WireReply[] = [];
  expect(() => (replies = [...wireReplies(got)]), context).not.toThrow();
  for (const { status, body } of replies) if (status >= 400) checkError(/\{[^]*\}/.exec(body)?.[0] ?? 'null', context);
}
