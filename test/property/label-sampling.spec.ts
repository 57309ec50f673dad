import { effectivePolicy, loadConfig } from '@reprise/config';
import { createHashingEmbedder } from '@reprise/embeddings';
import { createRng, seedOf } from '@reprise/kernel';
import { createMemoryStore } from '@reprise/memory-store';
import {
  economyRate,
  FIRST_FIT,
  inverseProbability,
  labelCoin,
  labelRate,
  type NamespacePolicy,
} from '@reprise/policy';
import type { LabelRecord } from '@reprise/semantic-cache';
import { replayChat, type TraceRecord } from '@reprise/simulator';
import { createReferenceJudge } from '@reprise/testing';
import { answerFor, generateConversations, isRightAnswer } from '@reprise/upstream';
import { describe, expect, it } from 'vitest';

const zetas = [0.1, 0.3, 1];
const secrets = Array.from({ length: 100 }, (_, n) => `secret ${n}`);

/** 800 decided candidates: the higher the score, the more often wrong; every third without a model. */
const candidates = Array.from({ length: 800 }, (_, n) => {
  const rng = createRng(seedOf(['candidate', String(n)]));
  const score = rng.next();
  const rejected: 0 | 1 = rng.next() < score ? 1 : 0;
  return { id: `request ${n}`, key: `key ${n % 7}`, score: n % 3 === 0 ? undefined : score, rejected };
});
const truth = candidates.reduce((sum, { rejected }) => sum + rejected, 0) / candidates.length;

/** Standard errors by which the estimate of one secret is off; 0 when every label was drawn. */
function miss(secret: string, rateOf: (one: (typeof candidates)[number]) => number): number {
  const labels = candidates.flatMap((one) => {
    const rate = rateOf(one);
    return labelCoin(secret, one.id) < rate ? [{ rejected: one.rejected, rate }] : [];
  });
  const { share, standardError } = inverseProbability(labels, candidates.length);
  return standardError === 0 ? Math.abs(share - truth) * 1e9 : (share - truth) / standardError;
}

describe('drawn labels are unbiased: 100 secrets', () => {
  const keyed = (key: string): number => 0.05 + 0.9 * createRng(seedOf(['rate', key])).next();
  it.each([
    ...zetas.map((zeta) => [`ζ = ${zeta}`, () => zeta] as const),
    ['ζ by key', ({ key }: { key: string }) => keyed(key)] as const,
    ['ζ by score band', ({ score }: { score: number | undefined }) => labelRate(score)] as const,
    ['the label economy', ({ score }: { score: number | undefined }) => economyRate(score, 0.1, 6_000)] as const,
  ])('%s', (_, rateOf) => {
    const misses = secrets.map((secret) => miss(secret, rateOf));
    // Beyond 3 standard errors .3 % of normal estimates; their mean is off by .1 standard errors itself.
    expect(misses.filter((value) => Math.abs(value) > 3).length).toBeLessThanOrEqual(2);
    expect(Math.abs(misses.reduce((sum, value) => sum + value, 0) / misses.length)).toBeLessThan(0.4);
  });

  it('would not be, were the coin to know the verdict', () => {
    const informed = ({ rejected }: { rejected: 0 | 1 }) => (rejected === 1 ? 0.1 : 0.3);
    const labels = candidates.filter((one) => labelCoin('secret', one.id) < informed(one));
    const { share, standardError } = inverseProbability(
      labels.map(({ rejected }) => ({ rejected, rate: 0.3 })),
      candidates.length,
    );
    expect((truth - share) / standardError).toBeGreaterThan(3);
  });
});

const loaded = loadConfig({ env: {}, cwd: import.meta.dirname });
if (!loaded.ok) throw new Error('The default configuration is not valid.');
const config = loaded.value;

async function* helpDesk(count: number): AsyncGenerator<TraceRecord> {
  let number = 0;
  for (const { id, turns } of generateConversations({ count, seed: 5 })) {
    const messages: { role: string; content: string }[] = [];
    for (const [t, { user }] of turns.entries()) {
      messages.push({ role: 'user', content: user });
      const { text } = answerFor(messages);
      yield {
        id: `${id}/${t}`,
        requestId: `request ${(number += 1)}`,
        request: { model: 'm', messages: [...messages] },
        reply: {
          message: { role: 'assistant', content: text },
          finishReason: 'stop',
          promptTokens: 10,
          completionTokens: 10,
          counted: true,
        },
        user: '',
        conversation: id,
        ...(t === turns.length - 1 ? { last: true as const } : {}),
      };
      messages.push({ role: 'assistant', content: text });
    }
  }
}

/** Labels of a replay through the product's core under one rate; too few for a model, so that every rate sees the same candidates. */
async function labelsAt(zeta: number, count: number): Promise<readonly LabelRecord[]> {
  const ns = 'simulate';
  const store = createMemoryStore({ nowMs: () => 0 });
  const policy = effectivePolicy(config) as unknown as NamespacePolicy;
  const judge = createReferenceJudge(({ history, message, candidate }) => {
    const said = [...history.map(({ role, text }) => ({ role, content: text })), { role: 'user', content: message }];
    return isRightAnswer(said, candidate) ? 0 : 1;
  });
  const replay = replayChat(helpDesk(count), {
    store,
    ns,
    policy: { ...policy, coldStart: 'none', labelRate: { inside: zeta, outside: zeta } },
    embedder: createHashingEmbedder(),
    limits: { jsonDepth: 64, maxMessages: 1_000, semanticMaxChars: 8_000, historyMessages: 32 },
    seed: 1,
    costOf: () => 0,
    learning: { risk: store.risk, judge, labelSecret: 'secret' },
  });
  for await (const _ of replay);
  const { events } = await store.risk.read(ns, '', 1e6);
  return events.flatMap((event) => (event.kind === 'label' ? [event.label] : []));
}

describe('labels of a replay through the core', () => {
  it.each([0.1, 0.3])('ζ = %d: within 3 standard errors of what all labels say', async (zeta) => {
    const all = await labelsAt(1, 100);
    const drawn = await labelsAt(zeta, 100);
    const wrong = all.filter(({ rejected }) => rejected === 1).length;
    const { share, standardError } = inverseProbability(drawn, all.length);
    expect(all.every(({ rate }) => rate === 1)).toBe(true);
    expect(all.length).toBeLessThan(FIRST_FIT);
    expect(wrong).toBeGreaterThan(20);
    expect(drawn.length).toBeLessThan(all.length * (zeta + 0.3));
    expect(Math.abs(share - wrong / all.length)).toBeLessThanOrEqual(3 * standardError);
    // The same requests, the same candidates, the same verdicts: only the coin differs.
    const verdicts = new Map(all.map(({ requestId, entryId, rejected }) => [requestId, `${entryId} ${rejected}`]));
    for (const { requestId, entryId, rejected } of drawn)
      expect(verdicts.get(requestId)).toBe(`${entryId} ${rejected}`);
  });
});
