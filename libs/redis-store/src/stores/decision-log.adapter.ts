import type { DecisionLog } from '@reprise/semantic-cache';
import { decisionReadScript } from '../generated/decision-read.gen.js';
import { decisionRecordScript } from '../generated/decision-record.gen.js';
import type { ScriptRunner } from '../scripts/script-runner.js';

/** Records of decisions, one hash a request, with a time to live. */
export class RedisDecisionLog implements DecisionLog {
  constructor(private readonly runner: ScriptRunner) {}

  async record(
    ns: string,
    requestId: string,
    entryId: string,
    conversation: string,
    record: string,
    keepMs: number,
    _nowMs: number,
    user = '',
  ): Promise<void> {
    await this.runner.run(decisionRecordScript, ns, { requestId, entryId, conversation, user, record, keepMs });
  }

  async read(ns: string, requestId: string): Promise<{ record?: string; served?: string } | undefined> {
    const { status, record, served } = await this.runner.run(decisionReadScript, ns, { requestId });
    if (status !== 'ok') return undefined;
    return { ...(record === undefined ? {} : { record }), ...(served === undefined ? {} : { served }) };
  }
}
