import { z } from 'zod';
import { isSafePattern } from './safe-pattern.js';
import { count, DAY_MS, durationMs, share, YEAR_MS } from './units.js';

/**
 * Guards that an operator may switch off, by their reason word and in the order of the checks. Those that only say
 * that a text cannot be analysed, or that nothing else matched, are not among them.
 */
export const guardNames = [
  'time-dependent',
  'personal',
  'case',
  'code',
  'format',
  'referent',
  'number',
  'negation',
  'name',
  'question-type',
  'tense',
  'modal',
  'pronoun',
  'preposition',
  'opposite',
  'order',
  'foreign-specifics',
  'currency',
] as const;

/** Policies that a namespace may be switched to: those that Redis has. A test compares the list with the registry. */
export const evictionNames = [
  'solar',
  'solar-a',
  'solar-e',
  'fifo',
  'lru',
  'lfu',
  'arc',
  'gds',
  'gdsf',
  'value',
  'two-tier',
] as const;

const compiles = (pattern: string): boolean => {
  try {
    return !new RegExp(pattern, 'gu').test('');
  } catch {
    return false;
  }
};

const strictSimilaritySchema = z.strictObject({
  minCosine: z.number().min(0.5).max(1).default(0.85).meta({ description: 'Least cosine of the two messages.' }),
});

/** Languages whose word lists an operator may add to; a test compares the list with the guard rule. */
export const guardLanguages = ['en', 'de'] as const;

const WORD = /^\p{L}[\p{L}\p{N}_]*(?:[.'&+#][\p{L}\p{N}]+)*[+#]*$/u;
const isWord = (text: string): boolean =>
  WORD.test(text) && text === text.toLowerCase() && text === text.normalize('NFKC');
const word = () => z.string().min(1).max(100).refine(isWord, { error: 'must be one word in lower case' });
const synonymsOf = (language: string) =>
  z
    .array(z.array(word()).min(2).max(20))
    .max(1_000)
    .exactOptional()
    .meta({ description: `Groups of ${language} words that mean the same here.` });
const droppableOf = (language: string) =>
  z
    .array(word())
    .max(1_000)
    .exactOptional()
    .meta({
      description: `${language} words that one of two messages may leave out, such as the name of your product.`,
    });

interface GuardWords {
  readonly extraWords: readonly string[];
  readonly droppable?: Partial<Record<(typeof guardLanguages)[number], readonly string[] | undefined>> | undefined;
}

/** A word that only stands for itself is never left out. */
function refuseDroppedExtraWords({ extraWords, droppable }: GuardWords, context: z.RefinementCtx): void {
  for (const language of guardLanguages) {
    droppable?.[language]?.forEach((each, at) => {
      if (!extraWords.includes(each)) return;
      context.addIssue({
        code: 'custom',
        path: ['droppable', language, at],
        message: 'is in extraWords too, whose words are never left out',
      });
    });
  }
}

const guardsSchema = z
  .strictObject({
    disabled: z
      .array(z.enum(guardNames))
      .default([])
      .meta({ description: 'Guards that are switched off, by reason word.' }),
    extraWords: z
      .array(z.string().min(1).max(100))
      .max(1_000)
      .default([])
      .meta({ description: 'Words that only ever stand for themselves, such as names of products or plans.' }),
    synonyms: z.strictObject({ en: synonymsOf('English'), de: synonymsOf('German') }).prefault({}),
    droppable: z.strictObject({ en: droppableOf('English'), de: droppableOf('German') }).prefault({}),
  })
  .superRefine(refuseDroppedExtraWords);

/** What decides; a test compares the list with libs/policy. */
export const decisionNames = [
  'budget',
  'strict-similarity',
  'exact',
  'single-turn',
  'joint-state',
  'elasticache-mt',
  'context-cache',
  'mean-cache',
] as const;

const comparisonSchema = z.strictObject({
  minCosine: z.number().min(0).max(1).exactOptional().meta({ description: 'Least cosine of what the index holds.' }),
  minContextCosine: z
    .number()
    .min(0)
    .max(1)
    .exactOptional()
    .meta({ description: 'Least cosine of the conversations before, for context-cache and mean-cache.' }),
  messages: count(1, 20)
    .exactOptional()
    .meta({ description: 'Newest messages that are read, for elasticache-mt and context-cache.' }),
});

const labelRateSchema = z.strictObject({
  inside: share()
    .default(1)
    .meta({ description: 'Of those whose estimated risk is at most .4, and of all before there is a model.' }),
  outside: share()
    .default(0.1)
    .meta({ description: 'Of all others. With both at 0 nothing is judged and nothing learned.' }),
});

const sharesSchema = z
  .strictObject({
    planned: share().default(0.5).meta({ description: 'Entries chosen for what they cover.' }),
    protected: share().default(0.2).meta({ description: 'Entries of proven value.' }),
    recency: share().default(0.3).meta({ description: 'New entries.' }),
  })
  .refine((s) => Math.abs(s.planned + s.protected + s.recency - 1) < 1e-9, {
    error: 'the three shares must add up to 1',
  });

/** The gate of SOLAR; what is absent has the store's default. Bounds are those of lua/includes/policy.lua. */
const gateSchema = z.strictObject({
  mode: z
    .enum(['fixed', 'adaptive', 'paper-literal'])
    .exactOptional()
    .meta({ description: 'How the threshold τ moves. Without it: fixed.' }),
  bootstrap: z
    .enum(['fill', 'paper'])
    .exactOptional()
    .meta({ description: 'Up to which size the gate is open. Without it: fill, the capacity.' }),
  lambda: z
    .number()
    .min(0.001)
    .max(1_000)
    .exactOptional()
    .meta({ description: 'Price of an admission; τ = 2λ when fixed.' }),
  floor: z.number().min(0).max(1_000).exactOptional().meta({ description: 'Least τ.' }),
  ceiling: z.number().min(0).max(1_000).exactOptional().meta({ description: 'Largest τ.' }),
  window: count(2, 1_000).exactOptional().meta({ description: 'Losses that adaptive looks back on.' }),
  tau0: z.number().min(0).max(1_000).exactOptional().meta({ description: 'First τ of paper-literal.' }),
  rate: share().exactOptional().meta({ description: 'Weight of the newest loss in paper-literal.' }),
});

const posteriorSchema = z.strictObject({
  priorAlpha: z.number().min(1).max(1e6).exactOptional().meta({ description: 'α of a new entry.' }),
  priorBeta: z.number().min(1).max(1e6).exactOptional().meta({ description: 'β of a new entry.' }),
  cap: z.number().min(0).max(1e9).exactOptional().meta({ description: 'Bound of α + β; 0 = none.' }),
  agingEvery: count(1, 1e9).exactOptional().meta({ description: 'Steps between two additions to β.' }),
  agingAmount: z.number().min(0).max(1_000).exactOptional().meta({ description: 'What is added.' }),
});

const bonusSchema = z.strictObject({
  weight: z
    .number()
    .min(0)
    .max(1_000)
    .exactOptional()
    .meta({ description: 'Bonus of an entry that has just come in.' }),
  scale: z.number().min(0.001).max(1e9).exactOptional().meta({ description: 'Steps after which it is half.' }),
});

const volatileMaskSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/)
    .meta({ description: 'What the span is masked with.' }),
  pattern: z
    .string()
    .min(1)
    .max(500)
    .refine(compiles, {
      error: 'must be a JavaScript regular expression (flags gu) that does not match the empty text',
    })
    .refine((pattern) => !compiles(pattern) || isSafePattern(pattern), {
      error: 'must have a bounded time: no repetition or choice (a|b) inside a repetition, and at most 15 repetitions',
    })
    .meta({ description: 'The span.' }),
});

/** Fields of a namespace's policy, without defaults: `cache` gives each one, a tenant or a route may set some. */
export const policyFields = {
  mode: z.enum(['on', 'off', 'shadow', 'read_only', 'write_only']).meta({
    description: 'What the cache does: shadow decides and reports but always asks the upstream.',
  }),
  capacity: count(1, 10_000_000).meta({ description: 'Entries of one namespace.' }),
  exactTtlMs: durationMs(1, YEAR_MS).meta({ description: 'How long an answer is given to the equal request.' }),
  semanticTtlMs: durationMs(1, YEAR_MS).meta({ description: 'How long an answer is given to similar requests.' }),
  maxAgeMs: durationMs(1, YEAR_MS).meta({ description: 'Absolute age of an answer, however often it is used.' }),
  errorBudget: z
    .number()
    .min(0.001)
    .max(0.5)
    .meta({ description: 'Largest share of reuses that may be wrong; below .05 very many labels are needed.' }),
  confidence: z.number().min(0.5).max(0.9999).meta({ description: 'Confidence with which the error budget is held.' }),
  coldStart: z.enum(['strict-similarity', 'none']).meta({
    description: 'What serves while there are too few labels: first turns under the whole guard rule, or nothing.',
  }),
  strictSimilarity: strictSimilaritySchema.meta({ description: 'The cold-start rule.' }),
  guards: guardsSchema.meta({ description: 'The checks on the words of two messages.' }),
  decision: z.enum(decisionNames).meta({
    description:
      'What serves similar requests: the rule that is learned from judged reuses under errorBudget; first turns under the whole guard rule alone; nothing (exact); or the rule of another cache, for comparison.',
  }),
  comparison: comparisonSchema.meta({ description: 'Parameters of the comparison rules; each has its own defaults.' }),
  labelRate: labelRateSchema.meta({ description: 'Share of reuses, made and possible ones, that are judged.' }),
  eviction: z.enum(evictionNames).meta({
    description:
      'Which entry leaves a full namespace. Stored for a namespace it stays; configured here it is where the ghosts begin.',
  }),
  ghosts: z.enum(['on', 'off']).meta({
    description:
      'Run other policies beside the live one on ids and outcomes, and hand the recency tier to one that is clearly better.',
  }),
  shares: sharesSchema.meta({ description: 'Shares of the capacity: planned, protected and recency tier.' }),
  gate: gateSchema.meta({ description: 'The regret gate of solar and solar-a.' }),
  posterior: posteriorSchema.meta({ description: 'The evidence on an entry, for solar and solar-e.' }),
  bonus: bonusSchema.meta({ description: 'The bonus of new entries, for solar and solar-e.' }),
  evictionCandidates: count(0, 256)
    .refine((n) => n % 8 === 0, { error: 'must be a multiple of 8' })
    .meta({
      description: 'Entries among which one eviction chooses, a multiple of 8; 0 = 256, the most. Without it: 64.',
    }),
  corroboration: count(1, 1_000).meta({
    description: 'From which independent use on a claimed importance counts. Without it: 2.',
  }),
  doorkeeperRatio: z.number().min(0).max(1_024).meta({
    description: 'Offers remembered for each entry of the capacity. Without it: 16.',
  }),
  candidates: count(1, 64).meta({ description: 'Nearest entries that one decision looks at.' }),
  semanticMaxTemperature: z
    .number()
    .min(0)
    .max(2)
    .meta({ description: 'Requests with a higher temperature use the exact tier only.' }),
  personal: z.enum(['user', 'shared']).meta({
    description:
      'Questions about the asker (“my order”): `user` reuses answers only between requests with the same end user (`safety_identifier` or `user`), `shared` within the whole namespace.',
  }),
  timeDependentMaxAgeMs: durationMs(0, DAY_MS).meta({
    description: "Oldest answer to a question about now (“today's weather”); 0 = never from the cache.",
  }),
  conversationIdleMs: durationMs(1_000, 30 * DAY_MS).meta({
    description: 'Pause after which a conversation is closed.',
  }),
  volatileMasks: z
    .array(volatileMaskSchema)
    .max(50)
    .meta({ description: 'Spans of system prompts (clock, uuid, request id) that are masked before hashing.' }),
} as const;

const optional = {
  mode: policyFields.mode.exactOptional(),
  capacity: policyFields.capacity.exactOptional(),
  exactTtlMs: policyFields.exactTtlMs.exactOptional(),
  semanticTtlMs: policyFields.semanticTtlMs.exactOptional(),
  maxAgeMs: policyFields.maxAgeMs.exactOptional(),
  errorBudget: policyFields.errorBudget.exactOptional(),
  confidence: policyFields.confidence.exactOptional(),
  coldStart: policyFields.coldStart.exactOptional(),
  strictSimilarity: policyFields.strictSimilarity.exactOptional(),
  guards: policyFields.guards.exactOptional(),
  decision: policyFields.decision.exactOptional(),
  comparison: policyFields.comparison.exactOptional(),
  labelRate: policyFields.labelRate.exactOptional(),
  eviction: policyFields.eviction.exactOptional(),
  ghosts: policyFields.ghosts.exactOptional(),
  shares: policyFields.shares.exactOptional(),
  gate: policyFields.gate.exactOptional(),
  posterior: policyFields.posterior.exactOptional(),
  bonus: policyFields.bonus.exactOptional(),
  evictionCandidates: policyFields.evictionCandidates.exactOptional(),
  corroboration: policyFields.corroboration.exactOptional(),
  doorkeeperRatio: policyFields.doorkeeperRatio.exactOptional(),
  candidates: policyFields.candidates.exactOptional(),
  semanticMaxTemperature: policyFields.semanticMaxTemperature.exactOptional(),
  personal: policyFields.personal.exactOptional(),
  timeDependentMaxAgeMs: policyFields.timeDependentMaxAgeMs.exactOptional(),
  conversationIdleMs: policyFields.conversationIdleMs.exactOptional(),
  volatileMasks: policyFields.volatileMasks.exactOptional(),
};

/** What a tenant, or a policy stored for a namespace, may set of the cache's policy. */
export const policyOverrideFields = optional;

const glob = z.string().min(1).max(200);

/** Other values for some requests of a namespace; the first route that matches is taken. */
export const routeSchema = z.strictObject({
  path: glob.exactOptional().meta({ description: 'Path with * as wildcard, e.g. /v1/embeddings.' }),
  model: glob.exactOptional().meta({ description: 'Model with * as wildcard, e.g. gpt-4o*.' }),
  mode: optional.mode,
  exactTtlMs: optional.exactTtlMs,
  semanticTtlMs: optional.semanticTtlMs,
  maxAgeMs: optional.maxAgeMs,
  errorBudget: optional.errorBudget,
  coldStart: optional.coldStart,
  decision: optional.decision,
  comparison: optional.comparison,
  labelRate: optional.labelRate,
  semanticMaxTemperature: optional.semanticMaxTemperature,
});

export const singleFlightSchema = z
  .strictObject({
    enabled: z.boolean().default(true).meta({ description: 'Equal concurrent requests make one upstream call.' }),
    leaseMs: durationMs(100, 60_000)
      .default(3_000)
      .meta({ description: 'Silence after which the leader of a flight is taken for dead.' }),
    keepMs: durationMs(0, 60_000)
      .default(5_000)
      .meta({ description: 'How long a finished flight can still be joined.' }),
    maxWaitMs: durationMs(1, 3_600_000)
      .default(120_000)
      .meta({ description: 'Longest that a follower waits before it asks the upstream itself.' }),
  })
  .prefault({});

export const sharingSchema = z.enum(['key', 'tenant', 'global']).meta({
  description: 'Who shares a namespace: each API key alone, all keys of a tenant, or all tenants.',
});

export const cacheSchema = z
  .strictObject({
    mode: policyFields.mode.default('on'),
    sharing: sharingSchema.default('key'),
    capacity: policyFields.capacity.default(10_000),
    exactTtlMs: policyFields.exactTtlMs.default(7 * DAY_MS),
    semanticTtlMs: policyFields.semanticTtlMs.default(DAY_MS),
    maxAgeMs: policyFields.maxAgeMs.default(7 * DAY_MS),
    errorBudget: policyFields.errorBudget.default(0.05),
    confidence: policyFields.confidence.default(0.95),
    coldStart: policyFields.coldStart.default('strict-similarity'),
    strictSimilarity: policyFields.strictSimilarity.prefault({}),
    guards: policyFields.guards.prefault({}),
    decision: policyFields.decision.default('budget'),
    comparison: policyFields.comparison.prefault({}),
    labelRate: policyFields.labelRate.prefault({}),
    eviction: policyFields.eviction.default('lru'),
    ghosts: policyFields.ghosts.default('on'),
    shares: policyFields.shares.prefault({}),
    gate: policyFields.gate.prefault({}),
    posterior: policyFields.posterior.prefault({}),
    bonus: policyFields.bonus.prefault({}),
    evictionCandidates: optional.evictionCandidates,
    corroboration: optional.corroboration,
    doorkeeperRatio: optional.doorkeeperRatio,
    candidates: policyFields.candidates.default(16),
    semanticMaxTemperature: policyFields.semanticMaxTemperature.default(1),
    personal: policyFields.personal.default('user'),
    timeDependentMaxAgeMs: policyFields.timeDependentMaxAgeMs.default(300_000),
    conversationIdleMs: policyFields.conversationIdleMs.default(900_000),
    volatileMasks: policyFields.volatileMasks.default([]),
    singleFlight: singleFlightSchema.meta({ description: 'One upstream call for equal concurrent requests.' }),
    routes: z
      .array(routeSchema)
      .max(200)
      .default([])
      .meta({ description: 'Other values by path and model; the first match is taken.' }),
  })
  .prefault({})
  .meta({ description: 'The policy of every namespace that has none of its own.' });
