import type { JobsOptions, KeepJobs } from 'bullmq';
import { z } from 'zod';
import { judgePayload } from './judge-payload.js';

/** Most conversations that one job closes: bounds the payload (about 60 bytes each) and the work of one attempt. */
export const closesPerJob = 200;

const idleConversation = z.strictObject({
  ns: z.string().min(1).max(200),
  conversation: z.string().min(1).max(500),
  /** Pause after which it is closed. */
  idleMs: z.number().int().min(1),
  /** When the request came that this close was scheduled for. */
  touchedMs: z.number().int().min(0),
});

interface QueueDefinition {
  /** Payload by job name; a job that does not fit is a dead letter at its first attempt. */
  readonly jobs: Readonly<Record<string, z.ZodType>>;
  readonly attempts: number;
  readonly backoff: { readonly type: 'exponential'; readonly delay: number; readonly jitter: number };
  readonly keepDone: boolean | KeepJobs;
  /** Failed jobs are the dead letters. */
  readonly keepDead: KeepJobs;
  /** Jobs that one worker runs at a time; absent: the configuration's `queues.concurrency`. */
  readonly concurrency?: number;
  /** Jobs that all workers together run at a time. */
  readonly globalConcurrency?: number;
  /** A worker that is silent for so long has lost its job. */
  readonly lockMs: number;
  /** Time between two looks for lost jobs. */
  readonly stalledMs: number;
  /** How often a job may be lost with its worker before it is a dead letter. */
  readonly maxStalled: number;
}

const backoff = { type: 'exponential', delay: 1_000, jitter: 0.5 } as const;
const day = 86_400;
const week = 7 * day;
const recovery = { lockMs: 10_000, stalledMs: 5_000, maxStalled: 3 } as const;
/** Work that is repeated by a schedule: one run at a time among all workers, so that no namespace has two. */
const periodic = {
  attempts: 3,
  backoff,
  keepDone: { count: 20 },
  keepDead: { age: week, count: 200 },
  concurrency: 1,
  globalConcurrency: 1,
  ...recovery,
} as const;

/**
 * Every queue and job: name, payload, attempts, backoff, retention, concurrency. A worker refuses to start when a job
 * name here has no handler, or two.
 */
export const jobTable = {
  sweep: {
    jobs: { 'sweep-namespace': z.strictObject({}) },
    ...periodic,
  },
  ghosts: {
    jobs: { 'run-ghosts': z.strictObject({}) },
    ...periodic,
    // A run may go on for seconds, most of it computing.
    lockMs: 60_000,
    stalledMs: 30_000,
  },
  conversation: {
    jobs: {
      'conversation-close': z.strictObject({ conversations: z.array(idleConversation).min(1).max(closesPerJob) }),
    },
    attempts: 5,
    backoff,
    keepDone: true,
    keepDead: { age: week, count: 1_000 },
    ...recovery,
  },
  learn: {
    jobs: { 'learn-labels': z.strictObject({}) },
    ...periodic,
  },
  recompute: {
    jobs: { 'plan-tiers': z.strictObject({}) },
    ...periodic,
    // A run may go on for seconds.
    lockMs: 60_000,
    stalledMs: 30_000,
  },
  judge: {
    jobs: { 'judge-reuse': judgePayload },
    attempts: 4,
    backoff,
    // The texts are gone with the job.
    keepDone: true,
    keepDead: { age: day, count: 200 },
    ...recovery,
    // Nearly all of it is waiting for a model; `judge.perMinute` limits what all workers ask.
    concurrency: 16,
    // A judge may think for a while.
    lockMs: 60_000,
    stalledMs: 30_000,
  },
} as const satisfies Readonly<Record<string, QueueDefinition>>;

export type QueueName = keyof typeof jobTable;
export type JobName<Q extends QueueName = QueueName> = Q extends QueueName ? keyof (typeof jobTable)[Q]['jobs'] : never;
/** The parsed payload of a job. */
export type JobPayload<Q extends QueueName, J extends JobName<Q>> =
  (typeof jobTable)[Q]['jobs'][J] extends z.ZodType<infer P> ? P : never;

export const queueNames = Object.keys(jobTable) as readonly QueueName[];

export const definitionOf = (queue: QueueName): QueueDefinition => jobTable[queue];

/** Options of every job of a queue. */
export function jobOptions(queue: QueueName): JobsOptions {
  const { attempts, backoff, keepDone, keepDead } = definitionOf(queue);
  return { attempts, backoff, removeOnComplete: keepDone, removeOnFail: keepDead, stackTraceLimit: 5 };
}

/** Options of every worker of a queue; it starts only when `run` is called, after the boot check. */
export function workerOptions(queue: QueueName) {
  const { concurrency, lockMs, stalledMs, maxStalled } = definitionOf(queue);
  return {
    autorun: false,
    concurrency: concurrency ?? 1,
    lockDuration: lockMs,
    stalledInterval: stalledMs,
    maxStalledCount: maxStalled,
  };
}

/** Keys of a queue begin with it; in braces, so that in a Cluster all of them are on one slot. */
export const keyPrefix = (prefix: string): string => `{${prefix}}`;
