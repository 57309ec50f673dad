import type { GuardFingerprint, GuardOptions, GuardReason, GuardVerdict } from '../guard.types.js';
import words from '../languages/en/words.json' with { type: 'json' };
import { readWordSet } from '../languages/word-list.js';

const negations = readWordSet(words.negations);
/** Least cosine for a semantic answer before any label is known (guards.md §2). */
export const DEFAULT_MIN_COSINE = 0.85;

const sorted = (list: readonly string[]): string => JSON.stringify([...list].sort());
const numbers = (fp: GuardFingerprint): string => sorted(fp.tokens.filter((token) => /\d/.test(token)));
const negated = (fp: GuardFingerprint): string =>
  sorted(fp.tokens.filter((token) => negations.has(token) || token.endsWith("n't")));

function sameNames(a: GuardFingerprint, b: GuardFingerprint): boolean {
  return a.names.every((name) => b.tokens.includes(name)) && b.names.every((name) => a.tokens.includes(name));
}

const CHECKS: readonly (readonly [GuardReason, (a: GuardFingerprint, b: GuardFingerprint) => boolean])[] = [
  ['length', (a, b) => !a.tooLong && !b.tooLong],
  ['language', (a, b) => a.language !== 'und' && a.language === b.language],
  ['code', (a, b) => a.code === b.code],
  ['number', (a, b) => numbers(a) === numbers(b)],
  ['negation', (a, b) => negated(a) === negated(b)],
  ['name', sameNames],
];

/** The walls that hold in every mode; the reason word of the first that refuses, or `undefined`. */
export function hardGuards(
  a: GuardFingerprint,
  b: GuardFingerprint,
  options: GuardOptions = {},
): GuardReason | undefined {
  if (a.v !== b.v) return 'version';
  if (a.equal !== '' && a.equal === b.equal && a.code === b.code) return undefined;
  return CHECKS.find(([reason, passes]) => options.disabled?.has(reason) !== true && !passes(a, b))?.[0];
}

/** Whether the answer to one text may serve the other; symmetric and deterministic. */
export function compareFingerprints(
  a: GuardFingerprint,
  b: GuardFingerprint,
  cosine: number,
  options: GuardOptions = {},
): GuardVerdict {
  if (a.v !== b.v) return { serve: false, reason: 'version' };
  if (a.equal !== '' && a.equal === b.equal && a.code === b.code) return { serve: true, reason: 'equal' };
  if (!(cosine >= (options.minCosine ?? DEFAULT_MIN_COSINE))) return { serve: false, reason: 'cosine' };
  return { serve: false, reason: hardGuards(a, b, options) ?? 'unaligned' };
}
