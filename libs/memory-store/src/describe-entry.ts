import type { MemoryEntry, NamespaceState } from './namespace-state.js';

/** An entry in words, without its answer; the twin of the function `describe`. */
export function describeEntry(space: NamespaceState, entry: MemoryEntry): Readonly<Record<string, string>> {
  const live = space.policies.entry(entry.id);
  const record = live?.record;
  return {
    id: entry.id,
    tier: live?.tier ?? 'none',
    createdMs: String(entry.createdMs),
    exactUntilMs: String(entry.exactUntilMs),
    semanticUntilMs: String(entry.semanticUntilMs),
    model: entry.model,
    stratum: entry.stratum,
    firstTurn: String(entry.firstTurn),
    conversation: entry.conversation,
    user: entry.user,
    tags: JSON.stringify(entry.tags),
    exactKeys: entry.exactKeys.join(' '),
    promptTokens: String(entry.promptTokens),
    completionTokens: String(entry.completionTokens),
    costMicroUsd: String(entry.costMicroUsd),
    alpha: String(record?.alpha),
    beta: String(record?.beta),
    uses: String(record?.uses),
    importance: String(record?.importance),
    sightings: String(record?.sightings),
    representative: entry.representative,
    insertedStep: String(record?.insertedStep),
    lastStep: String(record?.lastStep),
    answerBytes: String(Buffer.byteLength(entry.answer)),
  };
}
