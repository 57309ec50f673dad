import { type AppConfig, costMicroUsd, effectivePolicy, priceOf } from '@reprise/config';
import { createUnavailableEmbedder } from '@reprise/embeddings';
import { canonicalJson, stableHash } from '@reprise/kernel';
import type { NamespacePolicy } from '@reprise/policy';
import type { Embedder } from '@reprise/semantic-cache';
import { type ChatDecision, replayChat } from '../runner/chat-replay.js';
import { type ChatTally, itemOf, tally } from '../runner/chat-tally.js';
import type { ItemRequest } from '../runner/item-replay.js';
import { openReplayStore, type StoreChoice } from '../runner/open-store.js';
import type { LearningOptions } from '../runner/replay-learning.js';
import { TruthJudge } from '../runner/truth-judge.js';
import { SimulatorError } from '../simulator-error.js';
import type { Progress } from '../sweep/progress.js';
import type { Trace } from '../traces/open-trace.js';
import type { TraceRecord } from '../traces/trace.types.js';

export interface TraceRunOptions extends StoreChoice {
  readonly trace: Trace;
  readonly config: AppConfig;
  readonly embedder: Embedder;
  /** Most exchanges that are replayed, from the beginning. */
  readonly limit: number;
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** The model's window of history, as in the gateway. */
const historyMessages = 32;

/** The most that a namespace may hold. */
const unbounded = 10_000_000;

/** The replays of one trace under changes of the configured policy. */
export class TraceRuns {
  readonly policy: NamespacePolicy;
  /** Exchanges that are replayed; known after `count`. */
  private total = 0;
  private readonly judge = new TruthJudge();
  /** Number of the last exchange of each conversation. */
  private readonly lastOf = new Map<string, number>();

  constructor(private readonly options: TraceRunOptions) {
    this.policy = effectivePolicy(options.config) as unknown as NamespacePolicy;
  }

  /** Reads the trace once, so that a malformed line ends the run before it has cost anything. */
  async count(): Promise<{ readonly replayed: number; readonly more: boolean; readonly labelled: number }> {
    let seen = 0;
    let labelled = 0;
    for await (const record of this.options.trace.read()) {
      seen += 1;
      if (seen > this.options.limit) continue;
      if (record.truth !== undefined) labelled += 1;
      if (record.conversation !== undefined) this.lastOf.set(record.conversation, seen);
      this.judge.learn(record);
    }
    if (seen === 0) throw new SimulatorError(`${this.options.trace.name} has no chat exchange.`);
    this.total = Math.min(seen, this.options.limit);
    return { replayed: this.total, more: seen > this.total, labelled };
  }

  /** Equal requests only, nothing ever evicted. */
  exactOnly(): Promise<ChatTally> {
    return this.run({ ...this.policy, capacity: unbounded }, createUnavailableEmbedder('exact matches only'));
  }

  at(capacity: number): Promise<ChatTally> {
    return this.run({ ...this.policy, capacity }, this.options.embedder);
  }

  /** The budget mode, learning from the truths of the trace; always in memory. */
  async learning(errorBudget: number, capacity = unbounded): Promise<ChatTally> {
    const { options } = this;
    const policy: NamespacePolicy = { ...this.policy, decision: 'budget', mode: 'on', errorBudget, capacity };
    return this.run(policy, options.embedder, undefined, { judge: this.judge, labelSecret: String(options.seed) });
  }

  /** Without a bound; also the trace of items that policies are compared on. */
  async unlimited(): Promise<{ readonly tally: ChatTally; readonly items: readonly ItemRequest[] }> {
    const items: ItemRequest[] = [];
    const { costOf } = this;
    // The request as a whole, since equal requests are what the exact tier serves.
    const wordings = new Map<string, number>();
    const result = await this.run({ ...this.policy, capacity: unbounded }, this.options.embedder, (decision) => {
      const asked = stableHash([canonicalJson(decision.record.request)]);
      const wording = wordings.get(asked) ?? wordings.size;
      wordings.set(asked, wording);
      const item = itemOf(decision, Math.max(1, costOf(decision.record)), wording);
      if (item !== undefined) items.push(item);
    });
    return { tally: result, items };
  }

  readonly costOf = ({ request, reply }: TraceRecord): number =>
    costMicroUsd(priceOf(this.options.config, request.model), reply.promptTokens, reply.completionTokens);

  private async run(
    policy: NamespacePolicy,
    embedder: Embedder,
    onDecision?: (decision: ChatDecision) => void,
    learning?: LearningOptions,
  ): Promise<ChatTally> {
    const { progress, seed, config } = this.options;
    const choice: StoreChoice = learning === undefined ? this.options : { store: 'memory', redisUrl: '' };
    const { store, ns, startMs, risk, close } = await openReplayStore(choice);
    const { jsonDepth, maxMessages, semanticMaxChars } = config.limits;
    const decisions = replayChat(this.records(), {
      ...{ store, ns, policy, embedder, seed, costOf: this.costOf },
      limits: { jsonDepth, maxMessages, semanticMaxChars, historyMessages },
      ...(startMs === undefined ? {} : { startMs }),
      ...(learning === undefined || risk === undefined ? {} : { learning: { ...learning, risk } }),
    });
    progress.start(this.total);
    try {
      return await tally(decisions, {
        costOf: this.costOf,
        onDecision: (decision) => {
          progress.advance();
          onDecision?.(decision);
        },
      });
    } finally {
      progress.stop();
      await close();
    }
  }

  private async *records(): AsyncGenerator<TraceRecord> {
    let number = 0;
    for await (const record of this.options.trace.read()) {
      this.options.signal.throwIfAborted();
      number += 1;
      const { conversation = `alone ${number}` } = record;
      const last = record.conversation === undefined || this.lastOf.get(conversation) === number;
      yield last ? { ...record, conversation, last } : record;
      if (number === this.total) return;
    }
  }
}
