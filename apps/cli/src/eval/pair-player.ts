import { setTimeout as sleep } from 'node:timers/promises';
import type { CacheOutcome } from '@reprise/contracts';
import { askGateway, type ChatReply, type ChatTarget } from '../gateway/chat-client.js';
import { CommandError } from '../io.js';
import type { Pair } from './pair-file.js';

/** What the gateway did with one pair. */
export interface PairOutcome {
  readonly pair: Pair;
  /** `x-cache` of the second text's answer. */
  readonly cache: CacheOutcome | '';
  /** Its `x-cache-reason`, or `http-…` for an answer that is an error. */
  readonly reason: string;
  readonly similarity?: number;
  /** Whether the answer to the first text was served for the second. */
  readonly served: boolean;
  /** False when the gateway could not decide (an error, or a part of it was not there). */
  readonly decided: boolean;
  /** Further tries that were needed because a part of the gateway was late. */
  readonly retries: number;
}

const TRIES = 5;
const FIRST_PAUSE_MS = 50;
const HITS: readonly string[] = ['hit-exact', 'hit-semantic', 'coalesced'];

/** A part of the gateway was late or away: says nothing about the rule that is measured. */
const isDegraded = ({ reason }: ChatReply): boolean => /^(?:embedder-|cache-)/.test(reason);

/** Plays one pair in a sub-namespace that nobody else uses: the first text is stored, the second looked up. */
async function playPair(target: ChatTarget, pair: Pair, signal: AbortSignal): Promise<PairOutcome> {
  for (let retries = 0; ; retries++) {
    const space = { ...target, namespace: `${target.namespace}-${pair.line}${retries === 0 ? '' : `.${retries}`}` };
    const first = await askGateway(space, [{ role: 'user', content: pair.a }], signal);
    if (first.cache === '' && first.status < 400) {
      throw new CommandError(`what answers at ${target.url} sends no x-cache header: it is no Reprise gateway.`);
    }
    const second = await askGateway(space, [{ role: 'user', content: pair.b }], signal);
    const degraded = isDegraded(first) || isDegraded(second);
    if (degraded && retries + 1 < TRIES) {
      await sleep(FIRST_PAUSE_MS * 2 ** retries, undefined, { signal });
      continue;
    }
    const failed = first.status >= 400 ? first : second.status >= 400 ? second : undefined;
    return {
      pair,
      cache: second.cache,
      reason: failed ? `http-${failed.status}` : second.reason,
      ...(second.similarity === undefined ? {} : { similarity: second.similarity }),
      served: failed === undefined && HITS.includes(second.cache),
      decided: failed === undefined && !degraded,
      retries,
    };
  }
}

/**
 * Plays all pairs, some at a time; outcomes come in the order of the pairs.
 * @param onDone called after each pair with the number of finished ones
 */
export async function playPairs(
  target: ChatTarget,
  pairs: readonly Pair[],
  concurrency: number,
  signal: AbortSignal,
  onDone: (done: number) => void,
): Promise<PairOutcome[]> {
  const outcomes: PairOutcome[] = [];
  let next = 0;
  let done = 0;
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const lane = async (): Promise<void> => {
    for (let at = next++; at < pairs.length; at = next++) {
      outcomes[at] = await playPair(target, pairs[at] as Pair, either);
      onDone(++done);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(concurrency, pairs.length) }, lane));
  } catch (error) {
    // The other lanes would go on asking for nothing.
    stop.abort(error);
    throw error;
  }
  return outcomes;
}
