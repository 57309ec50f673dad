import type { PhrasePack } from '../phrases/phrase.types.js';

/** Longest message, in words, in which a pronoun without looking for what it stands for counts. */
const MAX_SHORT_MESSAGE = 8;
const CLAUSE_END =
  /[,;:.?!]|\b(?:and|but|or|if|when|because|while|after|before|since|until|that|without|by|so|who|which|to)\b/g;
const POSSESSIVES = new Set(['its', 'his', 'their', 'her']);
const REFLEXIVES = new Set(['itself', 'himself', 'herself', 'themselves']);
const WORD = /[\p{L}\p{N}]+/gu;

/** Words that may be what a pronoun stands for. */
function namedThings(text: string, pack: PhrasePack): number {
  const words = text.match(WORD) ?? [];
  return words.filter((word) => !pack.generic.has(word) && !pack.pronouns.has(word)).length;
}

/** The part of a message before the clause that ends at `end`. */
function earlierClauses(message: string, end: number): string {
  const before = message.slice(0, end);
  let cut = 0;
  for (const match of before.matchAll(CLAUSE_END)) cut = match.index;
  return before.slice(0, cut);
}

/** A second question without a comma: "are the lamps cheap are they safe". */
const SECOND_QUESTION =
  /^(?:is|are|was|were|do|does|did|can|could|will|would|should) .* (?:is|are|was|were|do|does|did|can|could|will|would|should) $/;

/** Whether a pronoun at this place has something before it to stand for. */
function hasAntecedent(message: string, start: number, pronoun: string, pack: PhrasePack): boolean {
  const owns = POSSESSIVES.has(pronoun) && /^ \p{L}/u.test(message.slice(start + pronoun.length));
  const before = message.slice(0, start);
  const reaches = owns || REFLEXIVES.has(pronoun) || SECOND_QUESTION.test(before);
  const scope = reaches ? before : earlierClauses(message, start);
  return namedThings(scope, pack) > 0;
}

/**
 * Whether a pronoun of the message stands for nothing in it.
 * English: an object or subject needs a noun in an earlier clause, a possessive one anywhere before. Elsewhere any pronoun in a short message counts.
 */
export function hasOpenPronoun(message: string, pack: PhrasePack): boolean {
  if (pack.pronouns.size === 0 || pack.expletives.some((pattern) => pattern.test(message))) return false;
  const words = [...message.matchAll(WORD)];
  const found = words.filter(([word]) => pack.pronouns.has(word));
  if (pack.generic.size === 0) return found.length > 0 && words.length <= MAX_SHORT_MESSAGE && !message.includes(',');
  return found.some((match) => !hasAntecedent(message, match.index, match[0], pack));
}
