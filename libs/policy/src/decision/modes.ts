/** What a namespace's similar requests are decided by (docs/concepts/decision-modes.md). */
export const decisionModes = [
  'budget',
  'strict-similarity',
  'exact',
  'single-turn',
  'joint-state',
  'elasticache-mt',
  'context-cache',
  'mean-cache',
] as const;
export type DecisionMode = (typeof decisionModes)[number];

/** The rules of other caches, for comparison: a fixed threshold each, nothing is learned. */
export type ComparisonMode = Exclude<DecisionMode, 'budget' | 'strict-similarity' | 'exact'>;

/** What of a conversation a rule looks at beside what its index holds. */
export type ModeContext = 'none' | 'recent-users' | 'parent';

export interface ComparisonRule {
  /** What the index holds: the last message, the state [√.7 q; √.3 h], or the newest messages as one text. */
  readonly index: 'message' | 'joint' | 'recent';
  /** A second vector that must match too: mean of the newest user messages, or the user message before. */
  readonly context: ModeContext;
  /** Least cosine of what the index holds. */
  readonly minCosine: number;
  /** Least cosine of the second vector. */
  readonly minContextCosine: number;
  /** Newest messages that are read: of both roles for `recent`, of the user for `recent-users`. */
  readonly messages: number;
}

/** What an operator may set of a comparison rule; what is absent has the rule's own default. */
export type ComparisonParameters = Partial<Pick<ComparisonRule, 'minCosine' | 'minContextCosine' | 'messages'>>;

/** Defaults where the papers or their code name some (algorithms.md §2.9), else a cosine that is usual for the model. */
const rules: Readonly<Record<ComparisonMode, ComparisonRule>> = {
  'single-turn': { index: 'message', context: 'none', minCosine: 0.9, minContextCosine: -1, messages: 1 },
  'joint-state': { index: 'joint', context: 'none', minCosine: 0.9, minContextCosine: -1, messages: 1 },
  'elasticache-mt': { index: 'recent', context: 'none', minCosine: 0.9, minContextCosine: -1, messages: 4 },
  'context-cache': { index: 'message', context: 'recent-users', minCosine: 0.75, minContextCosine: 0.7, messages: 5 },
  'mean-cache': { index: 'message', context: 'parent', minCosine: 0.8, minContextCosine: 0.8, messages: 1 },
};

/** The rule of a mode with an operator's parameters; undefined for a mode that is none. */
export function comparisonRule(mode: DecisionMode, given: ComparisonParameters = {}): ComparisonRule | undefined {
  if (!Object.hasOwn(rules, mode)) return undefined;
  const rule = rules[mode as ComparisonMode];
  const messages = mode === 'elasticache-mt' || mode === 'context-cache' ? (given.messages ?? rule.messages) : 1;
  const { minCosine = rule.minCosine, minContextCosine = rule.minContextCosine } = given;
  return { ...rule, minCosine, minContextCosine, messages };
}

/** Name of the index of a rule: two rules share one only when what they keep means the same. */
export const indexName = ({ index, context, messages }: ComparisonRule): string =>
  [index, context === 'none' ? '' : context, messages === 1 ? '' : String(messages)].filter(Boolean).join('-');

/** A candidate as a comparison rule sees it. */
export interface ComparedCandidate {
  /** Cosine of what the index holds, −1..1. */
  readonly similarity: number;
  /** Cosine of the second vectors; 1 when neither has one, −1 when only one has. */
  readonly contextSimilarity: number;
  /** The guard that refuses it whatever its similarity; undefined when none does. */
  readonly wall: string | undefined;
}

export interface ComparisonDecision {
  readonly serve: boolean;
  /** Index of the candidate that is served, or of the first that was refused; −1 without candidates. */
  readonly candidate: number;
  /** `similar`, `below-threshold`, `context-differs`, `no-candidate`, or the guard that refused. */
  readonly reason: string;
}

/** Serves the first candidate, nearest first, that reaches the thresholds and that no guard refuses. */
export function decideComparison(
  rule: Pick<ComparisonRule, 'minCosine' | 'minContextCosine'>,
  candidates: readonly ComparedCandidate[],
): ComparisonDecision {
  let refused: ComparisonDecision = { serve: false, candidate: -1, reason: 'no-candidate' };
  for (const [at, candidate] of candidates.entries()) {
    const reason = refusalOf(rule, candidate);
    if (reason === undefined) return { serve: true, candidate: at, reason: 'similar' };
    if (refused.candidate === -1) refused = { serve: false, candidate: at, reason };
  }
  return refused;
}

function refusalOf(
  { minCosine, minContextCosine }: Pick<ComparisonRule, 'minCosine' | 'minContextCosine'>,
  { similarity, contextSimilarity, wall }: ComparedCandidate,
): string | undefined {
  if (similarity < minCosine) return 'below-threshold';
  return contextSimilarity < minContextCosine ? 'context-differs' : wall;
}
