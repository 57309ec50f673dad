import { cosine } from '../algebra/cosine.js';

/** How much one candidate's reply agrees with the replies of the other candidates. */
export interface Agreement {
  readonly mean: number;
  readonly share: number;
  readonly classShare: number;
  readonly wide: number;
}

export interface AgreeingReply {
  readonly similarity: number;
  readonly vector: Float32Array;
  readonly replyClass: number;
}

const NEAR = 0.05;
const WIDE = 0.1;
const SAME = 0.9;
const TINY = 1e-9;

/**
 * Agreement of each of the first `scored` candidates (risk-model.md §3): weights e^((g − max g)/.05) over the scored
 * ones, e^((g − max g)/.1) over all of them for `wide`; the candidate itself is left out.
 */
export function agreementOf(replies: readonly AgreeingReply[], scored: number): Agreement[] {
  const most = Math.min(scored, replies.length);
  const near = replies.slice(0, most);
  const top = Math.max(...replies.map(({ similarity }) => similarity));
  const nearWeight = near.map(({ similarity }) => Math.exp((similarity - top) / NEAR));
  const wideWeight = replies.map(({ similarity }) => Math.exp((similarity - top) / WIDE));
  const cosines = cosinesOf(replies, most);
  return near.map((own, i) => {
    const sums = { near: TINY, wide: TINY, mean: 0, share: 0, classShare: 0, spread: 0 };
    replies.forEach((other, j) => {
      if (j === i) return;
      const similarity = cosines[i * replies.length + j]!;
      sums.wide += wideWeight[j]!;
      sums.spread += wideWeight[j]! * 2 * Math.max(similarity - 0.5, 0);
      if (j >= most) return;
      const weight = nearWeight[j]!;
      sums.near += weight;
      sums.mean += weight * similarity;
      if (similarity > SAME) sums.share += weight;
      if (own.replyClass === other.replyClass) sums.classShare += weight;
    });
    return {
      mean: sums.mean / sums.near,
      share: sums.share / sums.near,
      classShare: sums.classShare / sums.near,
      wide: sums.spread / sums.wide,
    };
  });
}

/** most × replies; the square part is computed once and mirrored. */
function cosinesOf(replies: readonly AgreeingReply[], most: number): Float64Array {
  const cosines = new Float64Array(most * replies.length);
  for (let i = 0; i < most; i++) {
    for (let j = i + 1; j < replies.length; j++) {
      const similarity = cosine(replies[i]!.vector, replies[j]!.vector);
      cosines[i * replies.length + j] = similarity;
      if (j < most) cosines[j * replies.length + i] = similarity;
    }
  }
  return cosines;
}
