/** Token counts as the provider stated them. */
export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  [field: string]: unknown;
}

export interface CapturedToolCall {
  id: string;
  type: string;
  function?: { name: string; arguments: string };
  [field: string]: unknown;
}

export interface CapturedMessage {
  role: 'assistant';
  content: string | null;
  tool_calls?: CapturedToolCall[];
  refusal?: string | null;
  reasoning_content?: string;
  [field: string]: unknown;
}

/** A provider's whole answer in one form, whatever form it came in. */
export interface CapturedAnswer {
  /** The first choice. */
  message: CapturedMessage;
  finishReason: string | null;
  usage?: Usage;
  model?: string;
  systemFingerprint?: string;
  serviceTier?: string;
  logprobs?: unknown;
  /** Number of different choices seen. */
  choices: number;
  /** The answer was seen to its end: a JSON body whole, a stream up to its terminal event. */
  complete: boolean;
  form: 'json' | 'sse';
  /** An error object in place of, or after, an answer. */
  error?: unknown;
  /** It was longer than what may be held: nothing of it is here. */
  tooLarge?: true;
}

/** What is known of an answer that was not held, or that cannot be read. */
export const emptyCapture = (form: CapturedAnswer['form']): CapturedAnswer => ({
  message: { role: 'assistant', content: null },
  finishReason: null,
  choices: 0,
  complete: false,
  form,
});

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is a usage object with plain counts, else undefined. */
export function asUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = value;
  if (typeof prompt !== 'number') return undefined;
  const out = typeof completion === 'number' ? completion : 0;
  return {
    ...value,
    prompt_tokens: prompt,
    completion_tokens: out,
    total_tokens: typeof total === 'number' ? total : prompt + out,
  };
}
