import type { UpstreamModel, UpstreamReply } from '../ports/upstream-model.port.js';
import { judgePrompt, readVerdict } from './judge-prompt.js';
import type { Judge } from './judge.types.js';

export interface LlmJudgeOptions {
  readonly upstream: Pick<UpstreamModel, 'send'>;
  readonly model: string;
  /** Longest wait for a verdict, ms. */
  readonly timeoutMs: number;
  /** Unguessable, new at every call. */
  readonly newCall: () => string;
  /** Cost of a call in millionths of a US dollar. */
  readonly costMicroUsd: (promptTokens: number, completionTokens: number) => number;
}

/** Longest reply that is read. */
const replyBytes = 64_000;

type Json = Readonly<Record<string, unknown>>;

const part = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});

/** The text of a completion that is whole; undefined for anything else. */
function contentOf(reply: unknown): string | undefined {
  const { choices } = part(reply);
  if (!Array.isArray(choices) || choices.length !== 1) return undefined;
  const { message, finish_reason: end } = part((choices as unknown[])[0]);
  const { content } = part(message);
  return typeof content === 'string' && (end === 'stop' || end === undefined || end === null) ? content : undefined;
}

/** A model that is asked at temperature 0; whatever is not a verdict by the schema is a failure, not a verdict. */
export function createLlmJudge(options: LlmJudgeOptions): Judge {
  return {
    name: 'llm',
    async judge(texts, spent) {
      const call = options.newCall();
      const reply = await ask(options, JSON.stringify(judgePrompt(options.model, call, texts)));
      const { prompt_tokens: prompt, completion_tokens: written } = part(part(reply)['usage']);
      if (typeof prompt === 'number' && typeof written === 'number')
        spent(Math.round(options.costMicroUsd(prompt, written) * 1_000));
      const verdict = readVerdict(contentOf(reply) ?? '', call);
      if (verdict === undefined) throw new Error('The judge did not give a verdict.');
      return verdict;
    },
  };
}

async function ask({ upstream, timeoutMs }: LlmJudgeOptions, body: string): Promise<unknown> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(new Error('The judge is too slow.')), timeoutMs);
  try {
    const reply = await upstream.send({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { 'content-type': 'application/json', accept: 'application/json', 'accept-encoding': 'identity' },
      body: new TextEncoder().encode(body),
      signal: stop.signal,
    });
    const text = await textOf(reply);
    if (reply.status !== 200) throw new Error(`The judge answered with status ${reply.status}.`);
    return JSON.parse(text) as unknown;
  } finally {
    clearTimeout(timer);
  }
}

async function textOf({ body }: UpstreamReply): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > replyBytes) {
      body.destroy();
      throw new Error('The judge says too much.');
    }
  }
  return text + decoder.decode();
}
