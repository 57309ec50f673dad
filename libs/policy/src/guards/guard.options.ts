import type { NamespacePolicy } from '../namespace-policy.js';
import type { GuardOptions, GuardReason } from './guard.types.js';
import { analysedLanguages } from './guard.types.js';
import { GUARD_VERSION } from './guard.version.js';
import { languagePack } from './languages/registry.js';
import { hashText } from './text/hash.js';

type GuardPolicy = Pick<NamespacePolicy, 'guards' | 'strictSimilarity'>;

const known = new WeakMap<GuardPolicy['guards'], Map<number, GuardOptions>>();

function build({ guards, strictSimilarity }: GuardPolicy): GuardOptions {
  const { synonyms, droppable } = guards;
  const own = analysedLanguages.map((code) => {
    const lists = { synonyms: synonyms?.[code] ?? [], droppable: droppable?.[code] ?? [] };
    return [code, lists] as const;
  });
  return {
    disabled: new Set(guards.disabled as readonly GuardReason[]),
    extraWords: { hard: guards.extraWords, byLanguage: Object.fromEntries(own) },
    minCosine: strictSimilarity.minCosine,
  };
}

/** What a namespace's policy says about the rule; one object per policy object, so that its words are indexed once. */
export function guardOptionsOf(policy: GuardPolicy): GuardOptions {
  const byCosine = known.get(policy.guards) ?? new Map<number, GuardOptions>();
  known.set(policy.guards, byCosine);
  const { minCosine } = policy.strictSimilarity;
  const options = byCosine.get(minCosine) ?? build(policy);
  byCosine.set(minCosine, options);
  return options;
}

function nameRule({ disabled, extraWords, minCosine }: GuardOptions): string {
  const { hard = [], droppable = [], synonyms = [], byLanguage = {} } = extraWords ?? {};
  const own = analysedLanguages.flatMap((code) => [
    code,
    byLanguage[code]?.droppable ?? [],
    byLanguage[code]?.synonyms ?? [],
  ]);
  const changes = [[...(disabled ?? [])].sort(), hard, droppable, synonyms, own, minCosine ?? null];
  const plain = JSON.stringify([[], [], [], [], ['en', [], [], 'de', [], []], minCosine ?? null]);
  const text = JSON.stringify(changes);
  return text === plain ? String(GUARD_VERSION) : `${GUARD_VERSION}+${hashText(text).slice(0, 8)}`;
}

const names = new WeakMap<GuardOptions, string>();

/**
 * Name of the rule in force: the version of the parser, which decides whether two fingerprints may be compared at all, and a hash of
 * the operator's changes where there are any. The changes take part in every comparison and are not stored with a fingerprint: one that
 * was stored before a word was added is compared with the word.
 */
export function guardRuleId(options: GuardOptions): string {
  const name = names.get(options) ?? nameRule(options);
  names.set(options, name);
  return name;
}

/** Droppable words and synonyms of an operator that can have no effect, each with why; empty when all have. */
export function findExtraWordProblems(options: GuardOptions): string[] {
  return analysedLanguages.flatMap((code) => {
    const own = options.extraWords?.byLanguage?.[code];
    const lexicon = languagePack(code)?.lexicon;
    if (own === undefined || lexicon === undefined) return [];
    const why = (word: string): string | undefined => {
      const kind = lexicon.entries.get(word)?.kind;
      return kind === undefined ? undefined : `is a function word (${kind})`;
    };
    const dropped = (own.droppable ?? []).map((word) => {
      const reason = lexicon.hard.has(word) ? 'has an opposite' : why(word);
      return reason === undefined ? '' : `droppable ${code}: "${word}" ${reason} and is never dropped`;
    });
    const groups = (own.synonyms ?? []).flatMap((group) => {
      const opposites = group.filter((word) => lexicon.hard.has(word));
      const problems = group
        .flatMap((word) => why(word) ?? [])
        .map(() => 'has a function word, which stands for itself');
      if (opposites.length > 1)
        problems.push(`would unite ${opposites.map((word) => `"${word}"`).join(' and ')}, which stay apart`);
      return problems.map((problem) => `synonyms ${code}: "${group.join(' ')}" ${problem}`);
    });
    return [...dropped.filter((problem) => problem !== ''), ...groups];
  });
}
