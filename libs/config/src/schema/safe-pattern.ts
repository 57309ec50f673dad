import ret, { type Token, type tokenizer, type Tokens, types } from 'ret';
import safeRegex from 'safe-regex2';

/** What the module itself is, though its types name it otherwise. */
const tokens = ret as unknown as typeof tokenizer;

/** Most repetitions of one pattern; each may multiply the ways to match a text. */
const mostRepetitions = 15;

const inner = (token: Tokens): readonly Token[] => {
  if (token.type === types.REPETITION) return [token.value];
  if (token.type !== types.ROOT && token.type !== types.GROUP) return [];
  return [...(token.stack ?? []), ...(token.options ?? []).flat()];
};

const hasChoice = (token: Tokens): boolean =>
  ((token.type === types.ROOT || token.type === types.GROUP) && token.options !== undefined) ||
  inner(token).some(hasChoice);

/** `(a|ab)*` has ever more ways to match a text, which safe-regex2 does not look for. */
const repeatsChoice = (token: Tokens): boolean =>
  (token.type === types.REPETITION && token.max > 1 && hasChoice(token.value)) || inner(token).some(repeatsChoice);

/**
 * Whether the time of a pattern cannot grow exponentially with the text: no repetition in a repetition, no choice in
 * one, few repetitions. It says no to some that would do, never yes to one of these.
 */
export function isSafePattern(pattern: string): boolean {
  return safeRegex(pattern, { limit: mostRepetitions }) && !repeatsChoice(tokens(pattern));
}
