import type { StorePolicyName } from '@reprise/policy';
import { type KeptVectors, readTextVectors } from '../embeddings/kept-vectors.js';
import { type ExperienceResult, type Retrieval, runExperience } from '../experience/experience-run.js';
import { answeredBy, foundShare } from '../experience/quality.js';
import { qaSessions, type QaSetName } from '../experience/qa-data.js';
import { Answers, type ChatModel } from '../llm/chat-model.js';

export type LlmMeasure = 'quality' | 'returned' | 'helped' | 'slope' | 'late gap' | 'gap' | 'slope ratio';

/** One number of SOLAR's tables 4–7 and 12. */
export interface LlmCell {
  readonly kind: 'llm';
  readonly set: QaSetName;
  readonly retrieval: Retrieval;
  readonly policy: StorePolicyName;
  readonly capacity: number;
  readonly measure: LlmMeasure;
}

/** All policies at all capacities with one retrieval: differences need them all. */
export interface LlmTask {
  readonly kind: 'llm';
  readonly set: QaSetName;
  readonly retrieval: Retrieval;
  readonly root: string;
  readonly vectors: KeptVectors;
  /** Absent: the proxy. */
  readonly model?: ChatModel;
  /** Conversations at most, for tests. */
  readonly most?: number;
}

export const llmPolicies = [
  'unlimited',
  'solar',
  'solar-a',
  'solar-e',
  'fifo',
  'lru',
  'arc',
  'lfu',
] as const satisfies readonly StorePolicyName[];
export const llmCapacities = [10, 20, 50, 100] as const;
const seeds = [42, 1337, 2024];

export const llmKey = ({ policy, capacity, measure }: Pick<LlmCell, 'policy' | 'capacity' | 'measure'>): string =>
  `${policy} ${capacity} ${measure}`;

export async function runLlmTask(task: LlmTask): Promise<Readonly<Record<string, number>>> {
  const vectors = readTextVectors(task.vectors);
  const quality = task.model === undefined ? foundShare : answeredBy(new Answers(task.model));
  const values: Record<string, number> = {};
  const curves = new Map<string, readonly number[]>();
  for (const policy of llmPolicies) {
    for (const capacity of policy === 'unlimited' ? llmCapacities.slice(0, 1) : llmCapacities) {
      const results: ExperienceResult[] = [];
      for (const seed of seeds) {
        const runs = qaSessions(task.root, task.set, seed, task.most).map((session) =>
          runExperience(session, vectors, { policy, capacity, retrieval: task.retrieval, seed, quality }),
        );
        results.push(...(await Promise.all(runs)));
      }
      for (const at of policy === 'unlimited' ? llmCapacities : [capacity]) {
        const note = (measure: LlmMeasure, value: number): void =>
          void (values[llmKey({ policy, capacity: at, measure })] = value);
        const curve = curveOf(results);
        curves.set(`${policy} ${at}`, curve);
        note('quality', mean(results.flatMap(({ qualities }) => qualities)));
        note('returned', mean(results.flatMap(({ returned }) => returned)));
        note('helped', mean(results.flatMap(({ helped }) => helped.map(Number))));
        note('slope', 1000 * slopeOf(curve));
      }
    }
  }
  differences(values, curves);
  return values;
}

/** SOLAR against FIFO: the gap, that of the second half, the ratio of the slopes. */
function differences(values: Record<string, number>, curves: ReadonlyMap<string, readonly number[]>): void {
  for (const capacity of llmCapacities) {
    const [ours, theirs] = (['solar', 'fifo'] as const).map((policy) => curves.get(`${policy} ${capacity}`) ?? []) as [
      readonly number[],
      readonly number[],
    ];
    const late = (curve: readonly number[]): number => mean(curve.slice(Math.floor(curve.length / 2)));
    const of = (policy: StorePolicyName, measure: LlmMeasure): number =>
      values[llmKey({ policy, capacity, measure })] ?? 0;
    const note = (measure: LlmMeasure, value: number): void =>
      void (values[llmKey({ policy: 'solar', capacity, measure })] = value);
    note('gap', of('solar', 'quality') - of('fifo', 'quality'));
    note('late gap', late(ours) - late(theirs));
    note('slope ratio', of('solar', 'slope') / of('fifo', 'slope'));
  }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Mean quality by the number of the test question, over sessions and seeds. */
function curveOf(results: readonly ExperienceResult[]): number[] {
  const length = Math.min(...results.map(({ qualities }) => qualities.length));
  return Array.from({ length }, (_, at) => mean(results.map(({ qualities }) => qualities[at] ?? 0)));
}

const leastWindow = 20;

/** Least squares on the rolling mean, window max(20, T / 25), at most half the curve. */
function slopeOf(curve: readonly number[]): number {
  const window = Math.max(
    1,
    Math.min(Math.max(leastWindow, Math.floor(curve.length / 25)), Math.floor(curve.length / 2)),
  );
  const rolled = curve.slice(window - 1).map((_, at) => mean(curve.slice(at, at + window)));
  const [x, y] = [mean(rolled.map((_, at) => at)), mean(rolled)];
  const spread = rolled.reduce((sum, _, at) => sum + (at - x) ** 2, 0);
  return spread === 0 ? 0 : rolled.reduce((sum, value, at) => sum + (at - x) * (value - y), 0) / spread;
}
