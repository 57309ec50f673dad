import { effectivePolicy, loadConfig } from '@reprise/config';
import { createHashingEmbedder } from '@reprise/embeddings';
import { comparisonRule, decisionModes, type NamespacePolicy, switchablePolicyNames } from '@reprise/policy';
import { type ChatDecision, openReplayStore, replayChat, type TraceRecord } from '@reprise/simulator';
import { OwnServer } from '@reprise/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const loaded = loadConfig({ env: {}, cwd: import.meta.dirname });
if (!loaded.ok) throw new Error('The default configuration is not valid.');
const config = loaded.value;
const base = effectivePolicy(config) as unknown as NamespacePolicy;

const subjects = ['red kettles', 'old bridges', 'small engines', 'wild geese', 'paper boats', 'stone walls'];
const verbs = ['clean', 'measure', 'describe', 'paint', 'move'];
const forms = [
  (verb: string, subject: string) => `How do I ${verb} ${subject}?`,
  (verb: string, subject: string) => `How do I ${verb} ${subject}? Thanks.`,
];

/** 160 first turns over 30 questions in two wordings, some far more often than others, and now and then a follow-up. */
async function* trace(): AsyncGenerator<TraceRecord> {
  for (let n = 0; n < 160; n++) {
    const topic = (n * n + (n >> 3)) % 30;
    const ask = forms[n % 2]?.(verbs[topic % 5] as string, subjects[Math.floor(topic / 5)] as string) ?? '';
    const message = { role: 'assistant', content: `Answer ${topic}.` };
    const before =
      n % 9 === 8
        ? [
            { role: 'user', content: 'Hello.' },
            { role: 'assistant', content: 'Hi.' },
          ]
        : [];
    yield {
      id: `x${n}`,
      request: { model: 'm', messages: [...before, { role: 'user', content: ask }] },
      reply: { message, finishReason: 'stop', promptTokens: 10, completionTokens: 10, counted: true },
      user: `u${n % 7}`,
      truth: `label ${topic}`,
    };
  }
}

interface Step {
  readonly kind: string;
  readonly reason: string;
  readonly entryId: string;
  readonly evicted: readonly string[];
}

const stepOf = ({ kind, reason, entryId, evicted }: ChatDecision): Step => ({ kind, reason, entryId, evicted });

describe('one trace, one seed, three stores', { timeout: 300_000 }, () => {
  let server: OwnServer;

  beforeAll(async () => {
    server = await OwnServer.start();
  });
  afterAll(async () => {
    await server.stop();
  });

  async function play(
    store: 'memory' | 'redis',
    form: 'fcall' | 'evalsha',
    eviction: string,
    change: Partial<NamespacePolicy> = {},
  ): Promise<Step[]> {
    const open = await openReplayStore({ store, redisUrl: server.url, form });
    const policy = { ...base, eviction, capacity: 9, ghosts: 'off', ...change } as const;
    const { jsonDepth, maxMessages, semanticMaxChars } = config.limits;
    const steps: Step[] = [];
    try {
      const decisions = replayChat(trace(), {
        ...{ store: open.store, ns: open.ns, policy, embedder: createHashingEmbedder(), seed: 7, costOf: () => 1 },
        limits: { jsonDepth, maxMessages, semanticMaxChars, historyMessages: 32 },
        ...(open.startMs === undefined ? {} : { startMs: open.startMs }),
      });
      for await (const decision of decisions) steps.push(stepOf(decision));
      return steps;
    } finally {
      await open.close();
    }
  }

  it.each(switchablePolicyNames)('%s: the same decisions and the same victims', async (eviction) => {
    const memory = await play('memory', 'fcall', eviction);
    const kinds = new Set(memory.map(({ kind }) => kind));
    expect([kinds.has('hit-exact'), kinds.has('miss')]).toEqual([true, true]);
    expect(memory.some(({ evicted }) => evicted.length > 0)).toBe(true);
    for (const form of ['fcall', 'evalsha'] as const) {
      expect(await play('redis', form, eviction)).toEqual(memory);
    }
  });

  it.each(decisionModes.filter((mode) => comparisonRule(mode) !== undefined))(
    'decided by %s: the same',
    async (decision) => {
      const change = { decision, comparison: { minCosine: 0.905, minContextCosine: 0.6 } };
      const memory = await play('memory', 'fcall', 'lru', change);
      expect(memory.some(({ kind, reason }) => kind === 'hit-semantic' && reason === 'similar')).toBe(true);
      expect(await play('redis', 'fcall', 'lru', change)).toEqual(memory);
    },
  );
});
