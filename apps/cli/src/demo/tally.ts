import type { CacheOutcome } from '@reprise/contracts';
import type { ConversationTurn } from '@reprise/upstream';
import type { ChatReply } from '../gateway/chat-client.js';
import type { Verdict } from './truth.js';

export const kinds = [
  'hit-exact',
  'hit-semantic',
  'coalesced',
  'miss',
  'bypass',
] as const satisfies readonly CacheOutcome[];

/** One kind of answer. */
export interface KindFigures {
  readonly kind: CacheOutcome;
  readonly requests: number;
  readonly wrong: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface DemoFigures {
  readonly requests: number;
  readonly conversations: number;
  readonly failed: number;
  /** What the first failed request was answered with; '' when none failed. */
  readonly firstFailure: string;
  readonly kinds: readonly KindFigures[];
  /** Why nothing was served, the most frequent reason first. */
  readonly reasons: readonly { readonly reason: string; readonly requests: number }[];
  /** Answers that came from the cache, and how many of them were wrong or could not be judged. */
  readonly reuses: number;
  /** Requests whose right answer an earlier request of this run had already got. */
  readonly repeats: number;
  readonly wrong: number;
  readonly unknown: number;
  /** Hits by similarity in each full stretch of 500 requests. */
  readonly climb: readonly number[];
  readonly savedTokens: number;
  readonly savedUsd: number;
  readonly seconds: number;
}

/** A reuse whose answer was another question's. */
export interface WrongReuse {
  readonly turnId: string;
  readonly asked: string;
  readonly kind: string;
  readonly served: string;
}

/** The value below which a share of the sorted numbers lies (nearest rank); 0 for none. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100;

interface KindCounts {
  readonly ms: number[];
  wrong: number;
}

/** Requests of one stretch of the climb. */
const STRETCH = 500;

const isReuse = (kind: string): boolean => kind === 'hit-exact' || kind === 'hit-semantic' || kind === 'coalesced';

/** Counts what was served. */
export class Tally {
  readonly wrongReuses: WrongReuse[] = [];
  private readonly counts = new Map<CacheOutcome, KindCounts>(kinds.map((kind) => [kind, { ms: [], wrong: 0 }]));
  private readonly seenKeys = new Set<string>();
  private repeats = 0;
  private readonly reasons = new Map<string, number>();
  private readonly climb: number[] = [];
  private inStretch = 0;
  private similar = 0;
  private conversations = 0;
  private failed = 0;
  private firstFailure = '';
  private unknown = 0;
  private savedTokens = 0;
  private savedUsd = 0;

  add(reply: ChatReply, verdict: Verdict, turn: Pick<ConversationTurn, 'id' | 'user' | 'answerKey'>): void {
    const counts = reply.cache === '' ? undefined : this.counts.get(reply.cache);
    if (reply.status >= 400 || counts === undefined) {
      this.failed += 1;
      this.firstFailure ||= `${reply.status} ${reply.text}`.trim();
      return;
    }
    counts.ms.push(reply.ms);
    this.countStretch(reply.cache === 'hit-semantic');
    if (this.seenKeys.has(turn.answerKey)) this.repeats += 1;
    this.seenKeys.add(turn.answerKey);
    if (!isReuse(reply.cache)) {
      this.reasons.set(reply.reason, (this.reasons.get(reply.reason) ?? 0) + 1);
      return;
    }
    this.savedTokens += reply.promptTokens + reply.completionTokens;
    this.savedUsd += reply.savedUsd;
    if (verdict === 'unknown') this.unknown += 1;
    if (verdict !== 'wrong') return;
    counts.wrong += 1;
    this.wrongReuses.push({ turnId: turn.id, asked: turn.user, kind: reply.cache, served: reply.text });
  }

  private countStretch(isSimilar: boolean): void {
    this.similar += isSimilar ? 1 : 0;
    this.inStretch += 1;
    if (this.inStretch < STRETCH) return;
    this.climb.push(this.similar);
    this.inStretch = 0;
    this.similar = 0;
  }

  endConversation(): void {
    this.conversations += 1;
  }

  figures(seconds: number): DemoFigures {
    const all = [...this.counts].map(([kind, { ms, wrong }]): KindFigures => {
      const sorted = [...ms].sort((x, y) => x - y);
      return {
        kind,
        requests: ms.length,
        wrong,
        p50Ms: rounded(quantile(sorted, 0.5)),
        p99Ms: rounded(quantile(sorted, 0.99)),
      };
    });
    const sum = (of: (row: KindFigures) => number): number => all.reduce((total, row) => total + of(row), 0);
    return {
      requests: sum((row) => row.requests) + this.failed,
      conversations: this.conversations,
      failed: this.failed,
      firstFailure: this.firstFailure,
      kinds: all,
      reasons: [...this.reasons]
        .map(([reason, requests]) => ({ reason, requests }))
        .sort((x, y) => y.requests - x.requests),
      reuses: sum((row) => (isReuse(row.kind) ? row.requests : 0)),
      repeats: this.repeats,
      wrong: sum((row) => row.wrong),
      unknown: this.unknown,
      climb: [...this.climb],
      savedTokens: this.savedTokens,
      savedUsd: this.savedUsd,
      seconds,
    };
  }
}
