import { isUtf8 } from 'node:buffer';
import type { EmbeddingsRequest } from '@reprise/contracts';

/** How many vectors a request asks for: one for a text or for one list of tokens, else one for each member. */
export function inputsOf({ input }: EmbeddingsRequest): number {
  return Array.isArray(input) && typeof input[0] !== 'number' ? input.length : 1;
}

/** Signs that are no base64 of either alphabet. */
const notBase64 = /[^A-Za-z0-9+/_=-]/;

const isVector = (value: unknown): boolean =>
  typeof value === 'string'
    ? value !== '' && !notBase64.test(value)
    : Array.isArray(value) && value.length > 0 && value.every(Number.isFinite);

/**
 * Prompt tokens of a whole embeddings answer; undefined when it is not one that may be given to others: each of the
 * `inputs` has one vector under its own index, and the bytes are UTF-8.
 */
export function embeddingTokens(body: Buffer, inputs: number): number | undefined {
  if (!isUtf8(body)) return undefined;
  try {
    const answer = JSON.parse(body.toString('utf8')) as {
      data?: ({ index?: unknown; embedding?: unknown } | null)[];
      error?: unknown;
      usage?: { prompt_tokens?: unknown };
    };
    if (answer.error !== undefined && answer.error !== null) return undefined;
    if (!Array.isArray(answer.data) || answer.data.length !== inputs || inputs === 0) return undefined;
    const free = new Set(Array.from({ length: inputs }, (_, at) => at));
    const whole = answer.data.every((each) => free.delete(each?.index as number) && isVector(each?.embedding));
    if (!whole) return undefined;
    return typeof answer.usage?.prompt_tokens === 'number' ? answer.usage.prompt_tokens : 0;
  } catch {
    return undefined;
  }
}
