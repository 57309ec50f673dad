import type { JudgeJob } from '@reprise/semantic-cache';
import { describe, expect, it } from 'vitest';
import { fromJudgePayload, judgePayload, toJudgePayload } from './judge-payload.js';

const job: JudgeJob = {
  ns: 'ns',
  label: {
    requestId: 'r1',
    conversation: 'c1',
    user: 'u1',
    turn: 4,
    entryId: 'e1',
    rule: 'budget',
    served: false,
    rate: 0.1,
    score: 0.1 + 0.2,
    snapshot: 3,
    featureVersion: 1,
    row: Float64Array.of(0.1, -1 / 3, 5e-324),
    texts: Float32Array.of(0.25, -0.1, 3),
  },
  history: [{ role: 'user', text: 'first' }],
  message: 'second',
  candidate: 'an answer',
  fresh: 'another answer',
};

describe('the payload of a judge job', () => {
  it('brings every number through JSON to the last bit', () => {
    const parsed = judgePayload.parse(JSON.parse(JSON.stringify(toJudgePayload(job, 7))));
    expect(fromJudgePayload(parsed)).toEqual(job);
  });

  it('leaves out what there is not', () => {
    const { score: _score, texts: _texts, user: _user, turn: _turn, ...label } = job.label;
    const { fresh: _fresh, ...rest } = job;
    const bare: JudgeJob = { ...rest, label };
    expect(fromJudgePayload(judgePayload.parse(toJudgePayload(bare, 7)))).toStrictEqual(bare);
  });

  it('takes numbers from the middle of a buffer', () => {
    const wide = Float64Array.of(1, 2, 3, 4);
    const part = { ...job, label: { ...job.label, row: wide.subarray(1, 3) } };
    expect(fromJudgePayload(toJudgePayload(part, 7)).label.row).toEqual(Float64Array.of(2, 3));
  });

  it.each([
    ['a rate of 0', { rate: 0 }],
    ['a rate above 1', { rate: 1.5 }],
    ['half a number', { row: Buffer.alloc(12).toString('base64') }],
    ['no base64', { row: '§' }],
    ['a field of its own', { rejected: 1 }],
  ])('does not fit with %s', (_, wrong) => {
    const payload = toJudgePayload(job, 7);
    expect(judgePayload.safeParse({ ...payload, label: { ...payload.label, ...wrong } }).success).toBe(false);
  });
});
