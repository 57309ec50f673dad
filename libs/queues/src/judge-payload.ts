import type { JudgeJob } from '@reprise/semantic-cache';
import { z } from 'zod';

/** Most characters of all texts of one job: longer ones are not judged. */
export const judgeChars = 100_000;

const id = z.string().min(1).max(500);
const numbers = (bytes: number, most: number) =>
  z
    .base64()
    .max(Math.ceil((most * bytes) / 3) * 4)
    .refine((text) => Buffer.from(text, 'base64').length % bytes === 0, {
      error: `must hold numbers of ${bytes} bytes`,
    });

const label = z.strictObject({
  requestId: id,
  conversation: id,
  user: z.string().max(500).optional(),
  entryId: id,
  turn: z.number().int().min(0).optional(),
  rule: z.enum(['budget', 'cold-start', 'comparison']),
  served: z.boolean(),
  rate: z.number().gt(0).max(1),
  score: z.number().min(0).max(1).optional(),
  snapshot: z.number().int().min(0),
  featureVersion: z.number().int().min(0),
  /** Float64, little-endian. */
  row: numbers(8, 1_000),
  /** Float32, little-endian. */
  texts: numbers(4, 30_000).optional(),
});

/** The payload of a `judge` job: a {@link JudgeJob} whose numbers are bytes in base64. */
export const judgePayload = z.strictObject({
  ns: z.string().min(1).max(200),
  label,
  history: z.array(z.strictObject({ role: z.string().max(100), text: z.string() })).max(1_000),
  message: z.string(),
  candidate: z.string(),
  fresh: z.string().optional(),
  /** When the reuse was decided on, wall time. */
  decidedMs: z.number().int().min(0),
});

export type JudgePayload = z.output<typeof judgePayload>;

/** Characters of all texts of a job. */
export const charsOf = ({ history, message, candidate, fresh = '' }: JudgeJob): number =>
  history.reduce((sum, { text }) => sum + text.length, message.length + candidate.length + fresh.length);

export function toJudgePayload(job: JudgeJob, decidedMs: number): JudgePayload {
  const { ns, label, history, message, candidate, fresh } = job;
  const { row, texts, ...rest } = label;
  return {
    ns,
    label: { ...rest, row: toBase64(row), ...(texts === undefined ? {} : { texts: toBase64(texts) }) },
    history: history.map(({ role, text }) => ({ role, text })),
    message,
    candidate,
    ...(fresh === undefined ? {} : { fresh }),
    decidedMs,
  };
}

export function fromJudgePayload(payload: JudgePayload): JudgeJob {
  const { ns, label, history, message, candidate, fresh } = payload;
  const { row, texts, score, user, turn, ...rest } = label;
  return {
    ns,
    label: {
      ...rest,
      row: new Float64Array(bytesOf(row)),
      ...(score === undefined ? {} : { score }),
      ...(user === undefined ? {} : { user }),
      ...(turn === undefined ? {} : { turn }),
      ...(texts === undefined ? {} : { texts: new Float32Array(bytesOf(texts)) }),
    },
    history,
    message,
    candidate,
    ...(fresh === undefined ? {} : { fresh }),
  };
}

/** Typed arrays are little-endian on every platform that Node runs on. */
const toBase64 = ({ buffer, byteOffset, byteLength }: Float32Array | Float64Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

/** In a buffer of their own, so that they are aligned. */
const bytesOf = (text: string): ArrayBuffer => Uint8Array.from(Buffer.from(text, 'base64')).buffer;
