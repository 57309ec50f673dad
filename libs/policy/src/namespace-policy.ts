import type { ComparisonParameters, DecisionMode } from './decision/modes.js';

export const cacheModes = ['off', 'shadow', 'read_only', 'write_only', 'on'] as const;
export type CacheMode = (typeof cacheModes)[number];

/** What one namespace allows, as far as the core reads it; libs/config holds the schema, with every default. */
export interface NamespacePolicy {
  readonly mode: CacheMode;
  /** Largest accepted share of wrong reuses among reuses, 0..1. */
  readonly errorBudget: number;
  /** What serves similar requests. */
  readonly decision: DecisionMode;
  /** Parameters of the comparison rules; absent: their own defaults. */
  readonly comparison?: ComparisonParameters;
  /** Share of candidates that are judged, by whether their score is low enough to matter. */
  readonly labelRate: { readonly inside: number; readonly outside: number };
  readonly coldStart: 'strict-similarity' | 'none';
  /** Largest number of entries over the three tiers. */
  readonly capacity: number;
  /** Name of the policy of the recency tier. */
  readonly eviction: string;
  /** Whether ghost policies may hand the recency tier over; absent: on. */
  readonly ghosts?: 'on' | 'off';
  readonly shares: { readonly planned: number; readonly protected: number; readonly recency: number };
  readonly exactTtlMs: number;
  readonly semanticTtlMs: number;
  /** Absolute age limit of every answer. */
  readonly maxAgeMs: number;
  /** Smallest cosine at which `strict-similarity` looks at a candidate at all. */
  readonly strictSimilarity: { readonly minCosine: number };
  readonly guards: {
    /** Guards switched off by the operator, by reason word. */
    readonly disabled: readonly string[];
    /** Words that align only with themselves. */
    readonly extraWords: readonly string[];
    /** Groups of words that mean the same, by language. */
    readonly synonyms?: Readonly<Record<string, readonly (readonly string[])[] | undefined>>;
    /** Words that may be left over on one side, by language. */
    readonly droppable?: Readonly<Record<string, readonly string[] | undefined>>;
  };
  /** How many nearest entries are looked at. */
  readonly candidates: number;
  /** Requests with a higher temperature use the exact tier only. */
  readonly semanticMaxTemperature: number;
  /** Who may share answers to questions about the asker. */
  readonly personal: 'user' | 'shared';
  /** Oldest answer to a question about now, ms. */
  readonly timeDependentMaxAgeMs: number;
  readonly conversationIdleMs: number;
  /** Spans of system prompts that are masked before keys are made; patterns with flags `gu`. */
  readonly volatileMasks: readonly { readonly name: string; readonly pattern: string }[];
}

/** What a mode allows a request to do. `decide` without `read` is shadow: decided and shown, never served. */
export interface ModeCapabilities {
  readonly read: boolean;
  readonly write: boolean;
  readonly decide: boolean;
}

export const modeCapabilities: Readonly<Record<CacheMode, ModeCapabilities>> = {
  off: { read: false, write: false, decide: false },
  shadow: { read: false, write: true, decide: true },
  read_only: { read: true, write: false, decide: true },
  write_only: { read: false, write: true, decide: false },
  on: { read: true, write: true, decide: true },
};

/**
 * The mode in force when a caller asks for one: never more than the configured mode allows.
 * `ignored` is true when the caller asked for something that the configuration does not allow.
 */
export function tightenMode(
  configured: CacheMode,
  asked: CacheMode | undefined,
): { readonly capabilities: ModeCapabilities; readonly ignored: boolean } {
  const limit = modeCapabilities[configured];
  if (asked === undefined) return { capabilities: limit, ignored: false };
  const want = modeCapabilities[asked];
  const capabilities = {
    read: limit.read && want.read,
    write: limit.write && want.write,
    decide: limit.decide && want.decide,
  };
  const ignored = (want.read && !limit.read) || (want.write && !limit.write) || (want.decide && !limit.decide);
  return { capabilities, ignored };
}
