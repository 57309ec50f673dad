import { analysisOf } from './analyse/analysis.js';
import { ALWAYS, FIELDS, REFERENTS, SITUATION, areEqual } from './compare/checks/field.checks.js';
import type { FieldCheck } from './compare/checks/field.checks.js';
import { analysedPair, compareFingerprints, isOn, leastCosine } from './compare/compare.js';
import type { Pair } from './compare/pair.js';
import { RULE } from './compare/rule.js';
import { guardRuleId } from './guard.options.js';
import { parseFingerprint } from './fingerprint.parse.js';
import type {
  GuardAlignedWords,
  GuardCheck,
  GuardExplanation,
  GuardFingerprint,
  GuardOptions,
  GuardReading,
} from './guard.types.js';

/** A fingerprint in words. */
function readingOf(fp: GuardFingerprint): GuardReading {
  const analysis = analysisOf(fp);
  return {
    language: fp.language,
    types: fp.types,
    words: analysis?.content.map(({ marker, raw }) => (marker === '' ? raw : `${marker} ${raw}`)) ?? [],
    numbers: analysis?.numbers ?? [],
    negations: analysis?.negations ?? [],
    names: fp.names,
    prepositions: analysis?.prepositions ?? [],
    pronouns: [...(analysis?.persons ?? []), ...(analysis?.possessives ?? []), ...(analysis?.pronouns ?? [])],
    tenses: analysis?.tenses ?? [],
    modals: analysis?.modals ?? [],
    formats: fp.formats,
    hasCode: fp.code !== '',
    timeDependent: fp.timeDependent,
    personal: fp.personal,
    missingReferent: fp.missingReferent,
  };
}

function fieldChecks(
  checks: readonly FieldCheck[],
  [a, b]: readonly [GuardFingerprint, GuardFingerprint],
  options: GuardOptions,
): GuardCheck[] {
  return checks.map(({ reason, asks, passes }) => ({
    reason,
    asks,
    passed: passes(a, b),
    disabled: !isOn(options, reason),
  }));
}

function cosineCheck(pair: Pair | undefined, cosine: number, options: GuardOptions): GuardCheck {
  const least = leastCosine(pair?.alignment.exact ?? false, options);
  return {
    reason: 'cosine',
    asks: `a cosine of at least ${least}`,
    passed: cosine >= least,
    disabled: !isOn(options, 'cosine'),
  };
}

function wordChecks(pair: Pair | undefined, options: GuardOptions): GuardCheck[] {
  if (pair === undefined) return [];
  return RULE.map(({ reason, asks, passes }) => ({
    reason,
    asks,
    passed: passes(pair),
    disabled: !isOn(options, reason),
  }));
}

function alignedWords(pair: Pair | undefined): GuardAlignedWords[] {
  if (pair === undefined) return [];
  return pair.alignment.pairs.map(({ a, b, how }) => ({
    a: pair.a.content[a]?.raw ?? '',
    b: pair.b.content[b]?.raw ?? '',
    how,
  }));
}

/** The verdict on two texts with everything it rests on: both readings, every check in order, the aligned words. */
export function explainGuard(
  textA: string,
  textB: string,
  cosine: number,
  options: GuardOptions = {},
): GuardExplanation {
  return explainFingerprints([parseFingerprint(textA), parseFingerprint(textB)], cosine, options);
}

/** The same of two fingerprints as they are stored. */
export function explainFingerprints(
  fingerprints: readonly [GuardFingerprint, GuardFingerprint],
  cosine: number,
  options: GuardOptions = {},
): GuardExplanation {
  const [a, b] = fingerprints;
  const pair = analysedPair(a, b, options);
  const equal: GuardCheck = {
    reason: 'equal',
    asks: 'the same text (serves at once)',
    passed: areEqual(a, b),
    disabled: false,
  };
  return {
    verdict: compareFingerprints(a, b, cosine, options),
    rule: guardRuleId(options),
    cosine,
    fingerprints,
    a: readingOf(a),
    b: readingOf(b),
    checks: [
      ...fieldChecks(ALWAYS, fingerprints, options),
      equal,
      ...fieldChecks(FIELDS, fingerprints, options),
      ...wordChecks(pair, options),
      ...fieldChecks(REFERENTS, fingerprints, options),
      cosineCheck(pair, cosine, options),
      ...fieldChecks(SITUATION, fingerprints, options),
    ],
    aligned: alignedWords(pair),
  };
}

function describeReading(name: string, reading: GuardReading): string[] {
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['words', reading.words],
    ['numbers', reading.numbers],
    ['negations', reading.negations],
    ['names', reading.names],
    ['prepositions', reading.prepositions],
    ['pronouns', reading.pronouns],
    ['tenses', reading.tenses],
    ['modals', reading.modals],
    ['formats', reading.formats],
  ];
  const flags = [
    ...(reading.hasCode ? ['code, address or quotation'] : []),
    ...(reading.timeDependent ? ['depends on the time'] : []),
    ...(reading.personal ? ['depends on the asker'] : []),
    ...(reading.missingReferent ? ['points outside the text'] : []),
  ];
  const head = `${name}: ${reading.language} ${reading.types.join('+') || 'not analysed'}`;
  const rows = lists
    .filter(([, words]) => words.length > 0)
    .map(([label, words]) => `  ${label}: ${words.join(' | ')}`);
  return [head, ...rows, ...(flags.length > 0 ? [`  flags: ${flags.join(', ')}`] : [])];
}

function describeCheck({ reason, asks, passed, disabled }: GuardCheck): string {
  const outcome = disabled ? 'off' : passed ? 'yes' : 'no';
  return `  ${outcome.padEnd(4)}${reason}: ${asks}`;
}

/** An explanation as lines of text, for a terminal. */
export function describeExplanation(explanation: GuardExplanation): string[] {
  const { verdict, rule, cosine, checks, aligned } = explanation;
  return [
    `${verdict.serve ? 'serve' : 'refuse'}: ${verdict.reason} (cosine ${cosine.toFixed(3)})`,
    `rule ${rule}`,
    ...describeReading('a', explanation.a),
    ...describeReading('b', explanation.b),
    'checks:',
    ...checks.map(describeCheck),
    'aligned:',
    ...aligned.map(({ a, b, how }) => `  ${a} = ${b} (${how})`),
  ];
}
