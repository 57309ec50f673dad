import { describe, expect, it } from 'vitest';
import { handlerProblems } from './handler-problems.js';
import { definitionOf, jobOptions, jobTable, keyPrefix, queueNames, workerOptions } from './job-table.js';

const handler = () => Promise.resolve(undefined);
const sweep = { queue: 'sweep', handlers: { 'sweep-namespace': handler } };
const conversation = { queue: 'conversation', handlers: { 'conversation-close': handler } };
const judge = { queue: 'judge', handlers: { 'judge-reuse': handler } };
const learn = { queue: 'learn', handlers: { 'learn-labels': handler } };
const recompute = { queue: 'recompute', handlers: { 'plan-tiers': handler } };
const ghosts = { queue: 'ghosts', handlers: { 'run-ghosts': handler } };

describe('handlerProblems', () => {
  it('is content with one handler for each job of the table', () => {
    expect(handlerProblems([sweep, conversation, ghosts, judge, learn, recompute])).toEqual([]);
  });

  it.each([
    ['no processor at all', [], 'job sweep/sweep-namespace has no handler'],
    ['one missing', [sweep], 'job conversation/conversation-close has no handler'],
    [
      'a processor without handlers',
      [sweep, { ...conversation, handlers: {} }],
      'job conversation/conversation-close has no handler',
    ],
    ['two for one', [sweep, conversation, sweep], 'job sweep/sweep-namespace has 2 handlers'],
    [
      'a job that no table has',
      [sweep, conversation, { queue: 'sweep', handlers: { extra: handler } }],
      'job sweep/extra is in no table',
    ],
    [
      'a queue that no table has',
      [sweep, conversation, { ...sweep, queue: 'other' }],
      'job other/sweep-namespace is in no table',
    ],
  ])('names the problem: %s', (_, offered, problem) => {
    expect(handlerProblems(offered)).toContain(problem);
  });
});

describe('jobTable', () => {
  it.each([...queueNames])('%s: every job has retries, backoff and bounded retention of what failed', (queue) => {
    const options = jobOptions(queue);
    expect(options.attempts).toBeGreaterThan(1);
    expect(options.backoff).toMatchObject({ type: 'exponential' });
    expect(options.removeOnFail).toMatchObject({
      age: expect.any(Number) as number,
      count: expect.any(Number) as number,
    });
    expect(options.removeOnComplete).toBeTruthy();
    expect(Object.keys(definitionOf(queue).jobs).length).toBeGreaterThan(0);
  });

  it.each([...queueNames])('%s: a worker does not start by itself, and looks for lost jobs within a lock', (queue) => {
    const options = workerOptions(queue);
    expect(options.autorun).toBe(false);
    expect(options.stalledInterval).toBeLessThan(options.lockDuration);
  });

  it('keeps all keys on one slot', () => {
    expect(keyPrefix('rpq')).toBe('{rpq}');
  });

  const close = jobTable.conversation.jobs['conversation-close'];
  const one = { ns: 'ns', conversation: 'c', idleMs: 1_000, touchedMs: 5 };

  it('takes a close', () => {
    expect(close.safeParse({ conversations: [one] }).success).toBe(true);
  });

  it.each([
    {},
    { conversations: [] },
    { conversations: [{ ...one, ns: '' }] },
    { conversations: [{ ...one, idleMs: 0 }] },
    { conversations: [{ ...one, idleMs: '1000' }] },
    { conversations: [{ ...one, extra: 1 }] },
    { conversations: Array.from({ length: 201 }, () => one) },
    null,
    'close it',
  ])('refuses %j', (payload) => {
    expect(close.safeParse(payload).success).toBe(false);
  });
});
