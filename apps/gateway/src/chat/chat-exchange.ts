import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ChatCompletionRequest } from '@reprise/contracts';
import type { CapturedAnswer, ReplayIdentity } from '@reprise/upstream';
import type { ClientConnection } from '../http/client-connection.js';

/** One chat request on its way: the caller's bytes, their reading, and the connection that waits. */
export interface ChatExchange {
  readonly requestId: string;
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  readonly body: Buffer;
  readonly request: ChatCompletionRequest;
  readonly client: ClientConnection;
  readonly wantsStream: boolean;
  readonly wantsUsage: boolean;
}

/** Ids of a replayed answer: never those it was stored with (acceptance case 24). */
export function newIdentity(nowMs: number): ReplayIdentity {
  const calls: string[] = [];
  return {
    id: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
    createdSeconds: Math.floor(nowMs / 1000),
    toolCallId: (index) => (calls[index] ??= `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`),
  };
}

/** The stored form of an answer; the inverse of {@link readAnswer}. */
export const writeAnswer = (answer: CapturedAnswer): string => JSON.stringify(answer);

export const readAnswer = (text: string): CapturedAnswer => JSON.parse(text) as CapturedAnswer;
