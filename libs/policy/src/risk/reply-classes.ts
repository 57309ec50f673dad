import { cosine } from '../algebra/cosine.js';

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
