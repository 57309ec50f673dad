import type { ChatDecision } from './chat-replay.js';
import type { ItemRequest } from './item-replay.js';

/** What a replay of a chat trace came to. */
export interface ChatTally {
  readonly requests: number;
  readonly exact: number;
  readonly semantic: number;
  readonly bypassed: number;
  readonly evicted: number;
  /** Tokens and cost of all answers, and of those that the cache gave. */
  readonly tokens: number;
  readonly tokensSaved: number;
  readonly microUsd: number;
  readonly microUsdSaved: number;
  /** Requests whose tokens the log did not count. */
  readonly estimated: number;
  /** Requests whose model has no price. */
  readonly unpriced: number;
  /** Hits of which is known whether they were right, and how many of these were wrong, by kind. */
  readonly judged: Readonly<Record<'exact' | 'semantic', { readonly known: number; readonly wrong: number }>>;
  /** Why requests were not served, by reason. */
  readonly reasons: ReadonlyMap<string, number>;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface TallyOptions {
  readonly costOf: (decision: ChatDecision['record']) => number;
  /** Called for each decision: progress, or the making of an item trace. */
  readonly onDecision?: (decision: ChatDecision) => void;
}

export const hits = ({ exact, semantic }: Pick<ChatTally, 'exact' | 'semantic'>): number => exact + semantic;

export async function tally(decisions: AsyncIterable<ChatDecision>, options: TallyOptions): Promise<ChatTally> {
  const judged = { exact: { known: 0, wrong: 0 }, semantic: { known: 0, wrong: 0 } };
  const reasons = new Map<string, number>();
  const sums: Mutable<Omit<ChatTally, 'judged' | 'reasons'>> = {
    requests: 0,
    exact: 0,
    semantic: 0,
    bypassed: 0,
    evicted: 0,
    tokens: 0,
    tokensSaved: 0,
    microUsd: 0,
    microUsdSaved: 0,
    estimated: 0,
    unpriced: 0,
  };
  for await (const decision of decisions) {
    const { kind, record, reason } = decision;
    const tokens = record.reply.promptTokens + record.reply.completionTokens;
    const cost = options.costOf(record);
    sums.requests += 1;
    sums.tokens += tokens;
    sums.microUsd += cost;
    sums.evicted += decision.evicted.length;
    if (!record.reply.counted) sums.estimated += 1;
    if (cost === 0) sums.unpriced += 1;
    if (kind === 'hit-exact' || kind === 'hit-semantic') {
      const which = kind === 'hit-exact' ? 'exact' : 'semantic';
      sums[which] += 1;
      sums.tokensSaved += tokens;
      sums.microUsdSaved += cost;
      judge(decision, judged[which]);
    } else {
      if (kind === 'bypass') sums.bypassed += 1;
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
    options.onDecision?.(decision);
  }
  return { ...sums, judged, reasons };
}

function judge({ record, servedTruth }: ChatDecision, counts: { known: number; wrong: number }): void {
  if (record.truth === undefined || servedTruth === undefined) return;
  counts.known += 1;
  if (record.truth !== servedTruth) counts.wrong += 1;
}

/**
 * A decision of an unlimited replay as a request of an item trace: its item is the entry that served it or that it left behind.
 * Policies can then be compared on the trace without looking anything up.
 */
export function itemOf(decision: ChatDecision, weight: number, wording: number): ItemRequest | undefined {
  if (decision.entryId === '') return undefined;
  return { item: decision.entryId, weight, claim: weight, real: true, wording };
}
