import { cosineOf, quantised } from './quantised.js';

/** Members of a stratum by cosine to a unit vector, as Redis sees it, most similar first, equal ones by id. */
export function nearest(
  stratum: ReadonlyMap<string, Float32Array> | undefined,
  vector: Float32Array,
): { readonly id: string; readonly similarity: number }[] {
  const asked = quantised(vector);
  const found: { id: string; similarity: number }[] = [];
  for (const [id, other] of stratum ?? []) found.push({ id, similarity: cosineOf(asked, quantised(other)) });
  return found.sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1));
}
