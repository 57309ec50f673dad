import { encodeSseData, replayAsJson, replayAsSse, type CapturedAnswer } from '@reprise/upstream';
import type { ChatExchange } from './chat-exchange.js';
import { newIdentity } from './chat-exchange.js';

export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' } as const;
export const sseHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const;

/** Sends a stored answer in the form that this caller asked for, whatever form it was stored from. */
export async function replayAnswer(
  exchange: ChatExchange,
  answer: CapturedAnswer,
  headers: Readonly<Record<string, string>>,
  nowMs: number,
): Promise<void> {
  const { client, request } = exchange;
  const identity = newIdentity(nowMs);
  if (!exchange.wantsStream) {
    const body = Buffer.from(JSON.stringify(replayAsJson(answer, identity, { model: request.model })));
    client.start(200, { ...headers, ...jsonHeaders, 'content-length': body.length });
    client.end(body);
    return;
  }
  client.start(200, { ...headers, ...sseHeaders });
  for (const event of replayAsSse(answer, identity, { includeUsage: exchange.wantsUsage, model: request.model })) {
    await client.write(event);
    if (client.gone) return;
  }
  client.end();
}

/** The usage chunk that ends a stream when the caller asked for one. */
export function usageChunk(answer: CapturedAnswer, id: string, createdSeconds: number, model: string): string {
  return encodeSseData({
    id,
    object: 'chat.completion.chunk',
    created: createdSeconds,
    model: answer.model ?? model,
    choices: [],
    usage: answer.usage ?? null,
  });
}
