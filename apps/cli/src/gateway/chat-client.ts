import { type CacheOutcome, requestHeaders, responseHeaders } from '@reprise/contracts';
import { CommandError } from '../io.js';

export interface ChatMessage {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string;
}

export interface ChatTarget {
  /** Address of the gateway, without /v1. */
  readonly url: string;
  readonly model: string;
  /** Sub-namespace, so that a run neither uses nor feeds anybody else's entries. */
  readonly namespace: string;
  readonly key?: string;
}

/** One answer of the gateway as far as the commands read it. */
export interface ChatReply {
  readonly status: number;
  /** `x-cache`; empty when the answer has no such header and is therefore not from a gateway. */
  readonly cache: CacheOutcome | '';
  /** `x-cache-reason` without what was ignored. */
  readonly reason: string;
  readonly similarity?: number;
  readonly text: string;
  readonly systemFingerprint: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly savedUsd: number;
  /** From the call to the last byte. */
  readonly ms: number;
}

interface Completion {
  choices?: { message?: { content?: unknown } }[];
  usage?: { prompt_tokens?: number; completion_tokens?: number };
  system_fingerprint?: unknown;
  error?: { message?: unknown };
}

const TIMEOUT_MS = 60_000;

function headersOf({ namespace, key }: ChatTarget): Record<string, string> {
  return {
    'content-type': 'application/json',
    [requestHeaders.namespace]: namespace,
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
}

/** Sends one chat request. Throws CommandError when no gateway can be reached there, with what to do. */
export async function askGateway(
  target: ChatTarget,
  messages: readonly ChatMessage[],
  signal: AbortSignal,
): Promise<ChatReply> {
  const startedMs = performance.now();
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${target.url}/v1/chat/completions`, {
      method: 'POST',
      headers: headersOf(target),
      body: JSON.stringify({ model: target.model, messages }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    text = await response.text();
  } catch (error) {
    signal.throwIfAborted();
    throw new CommandError(
      `no gateway answers at ${target.url} (${causeOf(error)}). Start one with npm start, or name another with --url.`,
    );
  }
  return { ...readReply(response, text), ms: performance.now() - startedMs };
}

function readReply(response: Response, text: string): Omit<ChatReply, 'ms'> {
  const header = (name: string): string => response.headers.get(name) ?? '';
  const similarity = header(responseHeaders.similarity);
  const body = bodyOf(text);
  const content = body.choices?.[0]?.message?.content;
  return {
    status: response.status,
    cache: header(responseHeaders.cache) as CacheOutcome | '',
    reason: header(responseHeaders.reason).split(';')[0] ?? '',
    ...(similarity === '' ? {} : { similarity: Number(similarity) }),
    text: typeof content === 'string' ? content : String(body.error?.message ?? ''),
    systemFingerprint: typeof body.system_fingerprint === 'string' ? body.system_fingerprint : '',
    promptTokens: body.usage?.prompt_tokens ?? 0,
    completionTokens: body.usage?.completion_tokens ?? 0,
    savedUsd: Number(header(responseHeaders.savedUsd)) || 0,
  };
}

function bodyOf(text: string): Completion {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** The innermost sentence of a failed fetch, which hides it in `cause`. */
export function causeOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'it did not answer in time';
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return cause.errors[0].message;
  if (cause instanceof Error) return cause.message;
  return error instanceof Error ? error.message : String(error);
}
