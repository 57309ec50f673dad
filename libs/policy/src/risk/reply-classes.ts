import { cosine } from '../algebra/cosine.js';
import type { Dossier, EntryState } from './turn-state.js';
import { equalHashes } from './word-hashes.js';

/** Leader clusters of replies: a reply joins the nearest leader whose cosine reaches the bar, or becomes a leader. */
export class ReplyClasses {
  private readonly leaders: Float32Array[] = [];

  constructor(private readonly bar: number) {}

  /** Class of a reply's unit vector; on ties the older leader. */
  classOf(reply: Float32Array): number {
    let best = -1;
    let nearest = this.bar;
    this.leaders.forEach((leader, i) => {
      const similarity = cosine(leader, reply);
      if (best === -1 ? similarity >= nearest : similarity > nearest) {
        best = i;
        nearest = similarity;
      }
    });
    return best === -1 ? this.leaders.push(reply) - 1 : best;
  }
}

const SAME_REPLY = 0.9;

/**
 * The candidates of one request, nearest first, the first `scored` with the classes of their replies: leader clusters
 * among these replies alone, equal numbers and cosine ≥ .9. They need no register that all replicas would have to share.
 */
export function withLocalClasses(candidates: readonly Dossier[], scored: number): EntryState[] {
  const leaders: Dossier[] = [];
  return candidates.map((candidate, at) => {
    if (at >= scored) return { ...candidate, replyClass: -1 };
    let best = -1;
    let nearest = SAME_REPLY;
    leaders.forEach(({ reply }, i) => {
      if (!equalHashes(reply.marks.numbers, candidate.reply.marks.numbers)) return;
      const similarity = cosine(reply.vector, candidate.reply.vector);
      if (best === -1 ? similarity >= nearest : similarity > nearest) {
        best = i;
        nearest = similarity;
      }
    });
    return { ...candidate, replyClass: best === -1 ? leaders.push(candidate) - 1 : best };
  });
}
