import { silentTelemetry } from '@reprise/kernel';
import {
  type Judge,
  JudgeCircuit,
  type JudgeJob,
  judgeReuse,
  LearnRuns,
  LocalLearners,
  RiskSnapshots,
} from '@reprise/semantic-cache';
import type { CacheDependencies } from '@reprise/semantic-cache';
import type { MemoryStore } from '@reprise/memory-store';

export interface LearningOptions {
  /** Says of every reuse whether it is right. */
  readonly judge: Judge;
  /** What the coins for labels are drawn with. */
  readonly labelSecret: string;
}

type LearningStore = Pick<MemoryStore, 'risk' | 'admin' | 'conversations'>;

const nothing = { write: (): void => undefined };
const free = { allowanceNanoUsd: Infinity, spendShare: 1, maxAgeMs: Infinity };

/** What workers do, between the conversations of a replay: judge, close, learn, publish. */
export class ReplayLearning {
  readonly snapshots: RiskSnapshots;
  private readonly runs = new LearnRuns();
  private readonly learners = new LocalLearners();
  private readonly circuit = new JudgeCircuit();
  private readonly jobs: JudgeJob[] = [];
  private readonly beside: Promise<void>[] = [];

  constructor(
    private readonly store: LearningStore,
    private readonly ns: string,
    private readonly options: LearningOptions,
    private readonly nowMs: () => number,
  ) {
    this.snapshots = new RiskSnapshots(store.risk, silentTelemetry, nothing);
  }

  /** The ports of the core that lead here. */
  get ports(): Pick<CacheDependencies, 'jobs' | 'snapshots' | 'beside' | 'judged' | 'labelSecret'> {
    return {
      jobs: {
        conversationClose: () => undefined,
        judge: (job) => void this.jobs.push(job),
        close: () => Promise.resolve(),
      },
      snapshots: this.snapshots,
      beside: (work) => void this.beside.push(work),
      judged: true,
      labelSecret: this.options.labelSecret,
    };
  }

  /** After the last request of a conversation; what was learned is in force for the next one. */
  async end(conversation: string): Promise<void> {
    await Promise.all(this.beside.splice(0));
    const { risk, admin, conversations } = this.store;
    const { judge } = this.options;
    const clock = { nowMs: this.nowMs };
    const deps = { risk, judge, circuit: this.circuit, clock, telemetry: silentTelemetry };
    for (const job of this.jobs.splice(0)) await judgeReuse(deps, free, { job, decidedMs: this.nowMs(), last: true });
    await conversations.close(this.ns, conversation);
    await this.runs.run({ risk, admin, log: nothing, learners: this.learners });
    const { version } = await risk.read(this.ns, '', 1);
    if (version === (this.snapshots.inForce(this.ns)?.version ?? 0)) return;
    this.snapshots.learn(this.ns, version);
    while (this.snapshots.inForce(this.ns)?.version !== version) await new Promise(setImmediate);
  }
}
