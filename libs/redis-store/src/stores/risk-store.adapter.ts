import {
  type JudgeSpend,
  labelCounters,
  type LabelRecord,
  type LearnEvent,
  type LearnPage,
  type NewSnapshot,
  type RiskSnapshot,
  type RiskStore,
} from '@reprise/semantic-cache';
import { judgeMissingScript } from '../generated/judge-missing.gen.js';
import { judgeSpendScript } from '../generated/judge-spend.gen.js';
import { learnReadScript, type LearnReadReply } from '../generated/learn-read.gen.js';
import { observeScript } from '../generated/observe.gen.js';
import { snapshotPublishScript } from '../generated/snapshot-publish.gen.js';
import { snapshotReadScript } from '../generated/snapshot-read.gen.js';
import type { ScriptRunner } from '../scripts/script-runner.js';
import { decodeLabel, encodeLabel } from './label.codec.js';

/** Models that one process remembers, about 400 kB each: a snapshot whose model is the old one comes without it. */
const rememberedModels = 32;

interface HeldModel {
  readonly version: number;
  readonly text: string;
}

type Fields = Omit<RiskSnapshot, 'version' | 'model'>;

/** Labels and snapshots on Redis, in the namespace's slot. */
export class RedisRiskStore implements RiskStore {
  private readonly models = new Map<string, HeldModel>();

  constructor(
    private readonly runner: ScriptRunner,
    private readonly timeoutMs: number,
  ) {}

  async snapshot(ns: string, heldVersion: number): Promise<RiskSnapshot | undefined> {
    const held = this.models.get(ns);
    const args = { held: heldVersion, heldModel: held?.version ?? 0 };
    const reply = await this.runner.run(snapshotReadScript, ns, args, { timeoutMs: this.timeoutMs });
    const { version, modelVersion = 0, fields = '' } = reply;
    if (version === undefined) return undefined;
    const text = reply.model ?? (held?.version === modelVersion ? held.text : undefined);
    if (text !== undefined) this.hold(ns, { version: modelVersion, text });
    if (fields === '') return { version, labels: 0, breakerOpen: false, coldStartClosed: false };
    return { version, ...(JSON.parse(fields) as Fields), ...(text === undefined ? {} : { model: text }) };
  }

  async observe(ns: string, label: LabelRecord, keep = true): Promise<boolean> {
    const { requestId, entryId, conversation, user = '', rejected } = label;
    const counter = labelCounters(label).join(' ');
    const args = { requestId, entryId, conversation, user, correct: rejected === 0, counter };
    const kept = { ...args, label: keep ? encodeLabel(label) : '' };
    return (await this.runner.run(observeScript, ns, kept, { timeoutMs: this.timeoutMs })).status === 'ok';
  }

  async missing(ns: string, requestId: string): Promise<boolean> {
    const reply = await this.runner.run(judgeMissingScript, ns, { requestId }, { timeoutMs: this.timeoutMs });
    return reply.status === 'ok';
  }

  async spend(ns: string, nanoUsd: number): Promise<JudgeSpend> {
    const reply = await this.runner.run(judgeSpendScript, ns, { nanoUsd }, { timeoutMs: this.timeoutMs });
    const { spentNanoUsd, savedNanoUsd } = reply;
    return { spentNanoUsd, savedNanoUsd };
  }

  async read(ns: string, position: string, count: number): Promise<LearnPage> {
    const args = { after: position, count };
    const reply = await this.runner.run(learnReadScript, ns, args, { timeoutMs: this.timeoutMs });
    const { epoch, version, budget, confidence, axes, events } = reply;
    return {
      epoch,
      version,
      ...(budget < 0 ? {} : { budget }),
      ...(confidence < 0 ? {} : { confidence }),
      ...(axes === undefined ? {} : { axes }),
      events: events.map(eventOf),
    };
  }

  async publish(
    ns: string,
    expectedVersion: number,
    epoch: number,
    { model = '', axes = '', position, ...fields }: NewSnapshot,
  ): Promise<number | undefined> {
    const reply = await this.runner.run(
      snapshotPublishScript,
      ns,
      {
        expected: expectedVersion,
        epoch,
        position,
        fields: JSON.stringify(fields),
        open: fields.breakerOpen,
        threshold: fields.threshold ?? -1,
        model,
        axes,
      },
      { timeoutMs: this.timeoutMs },
    );
    return reply.status === 'ok' ? reply.version : undefined;
  }

  private hold(ns: string, model: HeldModel): void {
    this.models.delete(ns);
    this.models.set(ns, model);
    if (this.models.size > rememberedModels) this.models.delete(this.models.keys().next().value as string);
  }
}

function eventOf({ id, kind, conversation, late, label }: LearnReadReply['events'][number]): LearnEvent {
  if (kind === 'end') return { id, kind, conversation };
  return { id, kind: 'label', late, label: decodeLabel(label) };
}
