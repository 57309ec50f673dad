import { describe, expect, it } from 'vitest';
import { judgeDeadLetters } from './queues.check.js';
import { judgeRedis, libraryName } from './redis.check.js';
import type { RedisFacts } from './redis-probe.js';
import { judgeSentinels, type SentinelAnswer } from './sentinel.check.js';

const healthy: RedisFacts = {
  version: '8.2.3',
  vectorSets: true,
  modules: ['vectorset', 'search', 'ReJSON'],
  libraries: ['reprise_0_1_abc'],
  memoryPolicy: 'noeviction',
  usedBytes: 10 * 1024 ** 2,
  maxBytes: 0,
  machineBytes: 8 * 1024 ** 3,
  driftMs: 2,
  role: 'master',
  clustered: false,
};
const expected = { form: 'fcall', library: 'reprise_0_1_abc' } as const;

/** Names of what is not fine, with its level. */
const troubles = (facts: Partial<RedisFacts>, more: Partial<typeof expected> = {}): string[] =>
  judgeRedis({ ...healthy, ...facts }, 'h:6379', { ...expected, ...more })
    .filter(({ level }) => level !== 'ok')
    .map(({ name, level }) => `${name} ${level}`);

describe('what a Redis server says of itself', () => {
  it('is fine when all is well', () => {
    expect(troubles({})).toEqual([]);
  });

  it.each<[Partial<RedisFacts>, string[]]>([
    [{ version: '7.4.1', vectorSets: false }, ['redis fail', 'vector sets fail']],
    [{ role: 'slave' }, ['redis fail']],
    [{ role: 'slave', clustered: true }, []],
    [{ modules: [] }, []],
    [{ libraries: [] }, ['functions warn']],
    [{ libraries: ['reprise_0_1_other', 'mine'] }, ['functions warn']],
    [{ memoryPolicy: 'allkeys-lru' }, ['memory policy fail']],
    [{ usedBytes: 85, maxBytes: 100 }, ['redis memory warn']],
    [{ usedBytes: 96, maxBytes: 100 }, ['redis memory fail']],
    [{ usedBytes: 7 * 1024 ** 3 }, ['redis memory warn']],
    [{ driftMs: -300 }, ['time warn']],
    [{ driftMs: 9_000 }, ['time fail']],
  ])('%j → %j', (facts, found) => {
    expect(troubles(facts)).toEqual(found);
  });

  it('in the form of scripts no library is looked for', () => {
    expect(troubles({ libraries: [] }, { form: 'evalsha' as never })).toEqual([]);
  });

  it('everything that is not fine says what to do', () => {
    const worst: RedisFacts = {
      ...healthy,
      version: '6.0.0',
      vectorSets: false,
      libraries: [],
      memoryPolicy: 'volatile-lru',
      usedBytes: 99,
      maxBytes: 100,
      driftMs: 1e6,
    };
    for (const finding of judgeRedis(worst, 'h', expected)) {
      if (finding.level !== 'ok') expect(finding.advice).toMatch(/\w{4,}.*[.:]/);
    }
  });

  it('reads the name of a library from its first line', () => {
    expect(libraryName('#!lua name=reprise_1\nlocal x')).toBe('reprise_1');
    expect(libraryName('local x')).toBeUndefined();
  });
});

describe('dead letters', () => {
  const none = {
    total: 0,
    counts: { ghosts: 0, sweep: 0, conversation: 0, judge: 0, learn: 0, recompute: 0 },
    newest: [],
  };

  it('are fine when there are none', () => {
    expect(judgeDeadLetters(none).level).toBe('ok');
  });

  it('are named by queue, with the reason of the newest', () => {
    const letter = {
      queue: 'sweep',
      job: 'sweep-namespace',
      id: '1',
      attempts: 3,
      failedAtMs: 1,
      reason: 'it broke',
    } as const;
    const finding = judgeDeadLetters({
      total: 2,
      counts: { ghosts: 0, sweep: 2, conversation: 0, judge: 0, learn: 0, recompute: 0 },
      newest: [letter],
    });
    expect(finding).toMatchObject({ level: 'warn', says: 'sweep 2; the newest is sweep-namespace: it broke' });
  });
});

describe('sentinels', () => {
  const at = (sentinel: string, primary: string) => ({ sentinel, primary });
  it.each<[SentinelAnswer[], string, RegExp]>([
    [[at('a:1', 'h:6379'), at('b:1', 'h:6379')], 'ok', /2 of 2 know mymaster at h:6379$/],
    [[at('a:1', 'h:6379'), { sentinel: 'b:1', problem: 'refused' }], 'warn', /1 of 2 .*; b:1: refused$/],
    [[at('a:1', 'h:6379'), at('b:1', 'g:6379')], 'warn', /at h:6379 and g:6379$/],
    [[{ sentinel: 'a:1', problem: 'it does not watch mymaster' }], 'fail', /0 of 1 know mymaster; a:1/],
    [[], 'fail', /0 of 0/],
  ])('%j: %s', (answers, level, says) => {
    expect(judgeSentinels(answers, 'mymaster')).toMatchObject({ level, says: expect.stringMatching(says) as string });
  });
});
