import type { IndexLayout } from './chat-state.js';

/** Weight of a message that is one turn older, in the history vector (risk-model.md §2). */
export const historyDecay = 0.75;

/** Scales to unit length; the zero vector stays. */
function normalise(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0) return vector;
  const scale = 1 / Math.sqrt(sum);
  return vector.map((value) => value * scale);
}

/** h = normalised sum over earlier messages of 0.75^age · e(message), newest age 0. */
export function historyVector(oldestFirst: readonly Float32Array[], dimensions: number): Float32Array {
  const sum = new Float32Array(dimensions);
  let weight = 1;
  for (let at = oldestFirst.length - 1; at >= 0; at--) {
    const vector = oldestFirst[at] as Float32Array;
    for (let d = 0; d < dimensions; d++) sum[d] = (sum[d] as number) + weight * (vector[d] as number);
    weight *= historyDecay;
  }
  return normalise(sum);
}

/** [√a·q; √b·p; √c·h] of the layout, float32, length 3·dimensions. */
export function stateVector(
  layout: IndexLayout,
  message: Float32Array,
  previousReply: Float32Array | undefined,
  history: Float32Array | undefined,
): Float32Array {
  const n = message.length;
  const out = new Float32Array(3 * n);
  const put = (part: Float32Array | undefined, at: number, weight: number): void => {
    if (part === undefined) return;
    const scale = Math.sqrt(weight);
    for (let d = 0; d < n; d++) out[at * n + d] = scale * (part[d] as number);
  };
  put(message, 0, layout.message);
  put(previousReply, 1, layout.previousReply);
  put(history, 2, layout.history);
  return out;
}

/** On first turns p and h are zero, so that the cosine of two such vectors is cos(q) whatever the weights. */
export function firstTurnVector(message: Float32Array): Float32Array {
  const out = new Float32Array(3 * message.length);
  out.set(message);
  return out;
}
