import type { EntryStore, NewEntry } from '@reprise/semantic-cache';

/**
 * A store that is told how new each answer is: 1 − cosine to the nearest live entry of its stratum, from the vectors as they were stored.
 *
 * By itself Redis takes it from its index, whose vectors have 8 bits a number, and memory from exact ones; the score of SOLAR-A would then
 * differ in the third decimal and so, now and then, the victim. The port takes the novelty as an argument, so a replay gives it, and every
 * store decides by the same number.
 */
export function withExactNovelty(entries: EntryStore): EntryStore {
  const strata = new Map<string, Map<string, Float32Array>>();
  const stratumOf = new Map<string, string>();
  const offered: EntryStore['admit'] = async (ns, entry) => {
    const { vector, stratum = '' } = entry;
    if (vector === undefined) return entries.admit(ns, entry);
    const live = strata.get(stratum) ?? new Map<string, Float32Array>();
    const reply = await entries.admit(ns, { ...entry, novelty: noveltyOf(vector, live.values()) } satisfies NewEntry);
    for (const id of reply.evicted) {
      strata.get(stratumOf.get(id) ?? '')?.delete(id);
      stratumOf.delete(id);
    }
    if (reply.outcome === 'stored') {
      strata.set(stratum, live.set(reply.entryId, vector));
      stratumOf.set(reply.entryId, stratum);
    }
    return reply;
  };
  return new Proxy(entries, {
    get: (target, name) => {
      if (name === 'admit') return offered;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function noveltyOf(vector: Float32Array, others: Iterable<Float32Array>): number {
  let nearest = 0;
  for (const other of others) {
    let sum = 0;
    for (let at = 0; at < vector.length; at++) sum += (vector[at] as number) * (other[at] ?? 0);
    nearest = Math.max(nearest, sum);
  }
  return Math.min(1, Math.max(0, 1 - nearest));
}
