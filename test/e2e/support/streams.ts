import type { ChatReply } from './chat.js';

export interface StreamChunk {
  readonly id: string;
  readonly created: number;
  readonly choices: readonly {
    readonly delta: { readonly role?: string; readonly content?: string | null };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: { readonly total_tokens: number } | null;
}

export const chunksOf = (text: string): StreamChunk[] =>
  text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)) as StreamChunk);

/** The whole text of an answer in either form; undefined when it is not complete. */
export function wholeText(reply: Pick<ChatReply, 'text' | 'headers'>): string | undefined {
  if (!String(reply.headers.get('content-type')).startsWith('text/event-stream')) {
    const body = JSON.parse(reply.text) as { choices?: { message: { content: string }; finish_reason: string }[] };
    const [choice] = body.choices ?? [];
    return choice?.finish_reason === 'stop' ? choice.message.content : undefined;
  }
  const chunks = chunksOf(reply.text);
  const finished = chunks.filter((chunk) => chunk.choices[0]?.finish_reason === 'stop').length === 1;
  const oneId = new Set(chunks.map((chunk) => chunk.id)).size === 1;
  if (!finished || !oneId || !reply.text.endsWith('data: [DONE]\n\n')) return undefined;
  return chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
}

/** A stream that is read as it comes. */
export interface LiveStream {
  /** What has come so far. */
  readonly soFar: () => string;
  /** The whole of it; rejects when it broke off. */
  readonly ended: Promise<Pick<ChatReply, 'status' | 'text' | 'headers' | 'cache'>>;
  readonly abort: () => void;
}

export function openStream(url: string, body: object, headers: Record<string, string>): LiveStream {
  const gone = new AbortController();
  let text = '';
  const read = async (): Promise<Awaited<LiveStream['ended']>> => {
    const reply = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer test-key', ...headers },
      body: JSON.stringify({ ...body, stream: true }),
      signal: gone.signal,
    });
    const decoder = new TextDecoder();
    for await (const piece of reply.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(piece, { stream: true });
    }
    return { status: reply.status, text, headers: reply.headers, cache: reply.headers.get('x-cache') };
  };
  const ended = read();
  ended.catch(() => undefined);
  return { soFar: () => text, ended, abort: () => gone.abort() };
}
