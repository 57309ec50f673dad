/** Members of a stratum by cosine to a unit vector, most similar first, equal ones by id. */
export function nearest(
  stratum: ReadonlyMap<string, Float32Array> | undefined,
  vector: Float32Array,
): { readonly id: string; readonly similarity: number }[] {
  const found: { id: string; similarity: number }[] = [];
  for (const [id, other] of stratum ?? []) found.push({ id, similarity: dot(vector, other) });
  return found.sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1));
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return Math.max(-1, Math.min(1, sum));
}
