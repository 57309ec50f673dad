import type { IndexLayout } from './chat-state.js';

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
