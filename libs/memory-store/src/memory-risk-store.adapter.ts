import {
  type JudgeSpend,
  labelCounters,
  type LabelRecord,
  type LearnPage,
  type NewSnapshot,
  type RiskSnapshot,
  type RiskStore,
} from '@reprise/semantic-cache';
import { checkNamespaceName } from './check-namespace-name.js';
import type { MemoryState, NamespaceState } from './namespace-state.js';

/** Labels and snapshots in one process. */
export class MemoryRiskStore implements RiskStore {
  constructor(private readonly state: MemoryState) {}

  async snapshot(ns: string, heldVersion: number): Promise<RiskSnapshot | undefined> {
    const { snapshot } = this.open(ns).risk;
    return Promise.resolve(snapshot?.version === heldVersion ? undefined : snapshot);
  }

  async observe(ns: string, label: LabelRecord, keep = true): Promise<boolean> {
    const space = this.open(ns);
    const { risk } = space;
    if (risk.observed.has(label.requestId)) return Promise.resolve(false);
    risk.observed.add(label.requestId);
    const { requestId, entryId, conversation, rejected } = label;
    space.policies.label({
      requestId: `o:${requestId}`,
      id: entryId,
      verdict: rejected === 0 ? 'correct' : 'incorrect',
    });
    if (risk.missing.delete(requestId)) space.count('judge_missing', -1);
    for (const name of labelCounters(label)) space.count(name);
    if (!keep) return true;
    const open = space.conversations.get(conversation);
    if (open) open.labelled = true;
    risk.add({ kind: 'label', late: open === undefined, label: copyOf(label) });
    return true;
  }

  async missing(ns: string, requestId: string): Promise<boolean> {
    const space = this.open(ns);
    const { observed, missing } = space.risk;
    if (observed.has(requestId) || missing.has(requestId)) return Promise.resolve(false);
    missing.add(requestId);
    space.count('judge_missing');
    return true;
  }

  async spend(ns: string, nanoUsd: number): Promise<JudgeSpend> {
    const space = this.open(ns);
    if (nanoUsd > 0) space.count('judge_nano_usd', nanoUsd);
    const { judge_nano_usd: spentNanoUsd = 0, saved_nano_usd: savedNanoUsd = 0 } = space.stats();
    return Promise.resolve({ spentNanoUsd, savedNanoUsd });
  }

  async read(ns: string, position: string, count: number): Promise<LearnPage> {
    const space = this.open(ns);
    const { epoch, snapshot, events, axes } = space.risk;
    const from = position === '' ? 0 : events.findIndex(({ id }) => sequenceOf(id) > sequenceOf(position));
    const page = from < 0 ? [] : events.slice(from, from + count);
    const policy = { ...numbersOf(space.defaultsText), ...numbersOf(space.policyText) };
    const known = position === '' && axes !== undefined ? { axes } : {};
    return Promise.resolve({ epoch, version: snapshot?.version ?? 0, ...policy, ...known, events: page });
  }

  async publish(
    ns: string,
    expectedVersion: number,
    epoch: number,
    { position: _position, axes, ...snapshot }: NewSnapshot,
  ): Promise<number | undefined> {
    const { risk } = this.open(ns);
    const held = risk.snapshot?.version ?? 0;
    if (held !== expectedVersion || risk.epoch !== epoch) return Promise.resolve(undefined);
    if (axes !== undefined) risk.axes = axes;
    const model = snapshot.model ?? risk.snapshot?.model;
    risk.snapshot = { ...snapshot, version: held + 1, ...(model === undefined ? {} : { model }) };
    return held + 1;
  }

  private open(ns: string): NamespaceState {
    checkNamespaceName(ns);
    return this.state.namespace(ns);
  }
}

function numbersOf(policy: string): { readonly budget?: number; readonly confidence?: number } {
  const { errorBudget, confidence } = JSON.parse(policy || '{}') as { errorBudget?: number; confidence?: number };
  return {
    ...(errorBudget === undefined ? {} : { budget: errorBudget }),
    ...(confidence === undefined ? {} : { confidence }),
  };
}

const sequenceOf = (id: string): number => Number(id.split('-')[1]);

function copyOf(label: LabelRecord): LabelRecord {
  const { row, texts } = label;
  return { ...label, row: row.slice(), ...(texts === undefined ? {} : { texts: texts.slice() }) };
}
