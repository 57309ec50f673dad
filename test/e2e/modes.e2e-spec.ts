import { decisionModes } from '@reprise/policy';
import { describe, expect, it } from 'vitest';
import { namespaceOf, onNamespace, setPolicy } from './support/admin.js';
import { ask, chat, type ChatReply, model, ownSpace } from './support/chat.js';
import { suite } from './support/suite.js';

/** Each decision mode served by live gateways: what one gateway stored, the other one decides on. */
const s = suite({}, 2);
type Space = Record<string, string>;
const other = (): string => s.gateways[1]?.url ?? '';

const question = 'How can I return a broken kettle?';
const talk = (opening: string, reply: string, message: string) => ({
  model,
  messages: [
    { role: 'user', content: opening },
    { role: 'assistant', content: reply },
    { role: 'user', content: message },
  ],
});
const stored = talk('I bought a kettle from your shop.', 'Great! What can I do for you?', question);
/** The same conversation in nearly the same words, the same question in another one, and another question in the same. */
const same = talk('I bought a kettle from your shop!', 'Great! What can I do for you?', `${question} Please.`);
const elsewhere = talk('Which trains go over the mountains at night?', 'The sleeper leaves at nine.', question);
const unlike = talk('I bought a kettle from your shop.', 'Great! What can I do for you?', 'Do you sell bicycles?');
const number = talk('I bought a kettle from your shop.', 'Great! What can I do for you?', 'Where is order 4711?');
const otherNumber = talk('I bought a kettle from your shop.', 'Great! What can I do for you?', 'Where is order 4712?');

const space = async (decision: string, comparison = {}): Promise<Space> => {
  const headers = ownSpace(`mode-${decision}`);
  await setPolicy(s, namespaceOf(headers), { decision, comparison });
  return headers;
};
const told = ({ cache, reason }: ChatReply): string => `${cache ?? ''} ${reason ?? ''}`;
const miss = (reason: string): string => `miss ${reason}`;
const similar = 'hit-semantic similar';

/** What each mode makes of: the same conversation, another conversation with that question, another question. */
const expected: Record<string, [string, string, string]> = {
  'single-turn': [similar, similar, miss('below-threshold')],
  'joint-state': [similar, miss('below-threshold'), miss('below-threshold')],
  'elasticache-mt': [similar, miss('below-threshold'), miss('below-threshold')],
  'context-cache': [similar, miss('context-differs'), miss('below-threshold')],
  'mean-cache': [similar, miss('context-differs'), miss('below-threshold')],
  exact: [miss('decision-exact'), miss('decision-exact'), miss('decision-exact')],
  'strict-similarity': [miss('follow-up'), miss('follow-up'), miss('follow-up')],
  budget: [miss('follow-up'), miss('follow-up'), miss('follow-up')],
};

describe('decision modes', () => {
  it.each(decisionModes)('%s serves what its rule looks at, and nothing else', async (decision) => {
    const headers = await space(decision);
    const send = async (body: unknown): Promise<string> => told(await chat(other(), body, headers));
    expect(told(await chat(s.url, stored, headers))).toMatch(/^miss/);
    const [whenSame, whenElsewhere, whenUnlike] = expected[decision] ?? [];
    // Not written, so that each is compared with the first alone.
    headers['x-reprise-mode'] = 'read_only';
    expect(await send(unlike)).toBe(whenUnlike);
    expect(await send(elsewhere)).toBe(whenElsewhere);
    expect(await send(same)).toBe(whenSame);
    expect(await send(stored)).toBe('hit-exact equal-request');
  });

  it.each(Object.keys(expected).filter((mode) => expected[mode]?.[0] === similar))(
    '%s: hard guards stay walls, shadow serves nothing, and explain says what it went by',
    async (decision) => {
      const headers = await space(decision, { minCosine: 0.5 });
      await chat(s.url, number, headers);
      await chat(s.url, stored, headers);
      expect(told(await chat(other(), otherNumber, headers))).toBe(miss('number'));
      const reply = await chat(other(), same, { ...headers, 'x-reprise-mode': 'shadow' });
      expect([reply.cache, reply.headers.get('x-cache-shadow')]).toEqual(['miss', 'hit-semantic']);
      const id = reply.headers.get('x-request-id') ?? '';
      const ns = namespaceOf(headers);
      const { decision: record } = await onNamespace<{ decision: { comparison: Record<string, unknown> } }>(
        s,
        ns,
        `explain/${id}`,
      );
      expect(record.comparison).toMatchObject({ mode: decision, minCosine: 0.5, refusedByGuard: null });
      expect(record.comparison['similarity']).toBeGreaterThan(0.8);
    },
  );

  it('a caller who asks for less risk than the budget is not served by a rule that promises none', async () => {
    const headers = await space('single-turn');
    await chat(s.url, ask(question), headers);
    headers['x-reprise-mode'] = 'read_only';
    const asked = (risk: string) =>
      chat(other(), ask(`${question} Please.`), { ...headers, 'x-reprise-max-risk': risk });
    expect(told(await asked('0.001'))).toBe(miss('max-risk'));
    expect(told(await asked('0.05'))).toBe(similar);
  });

  it('what points at an earlier message is served for an equal history only', async () => {
    const headers = await space('single-turn');
    const pointing = 'How much does it cost?';
    await chat(s.url, talk('Tell me of the red kettle.', 'It boils fast.', pointing), headers);
    const asked = (opening: string, reply: string) =>
      chat(other(), talk(opening, reply, `${pointing} Please.`), headers);
    expect(told(await asked('Tell me of the train.', 'It is on time.'))).toBe(miss('referent'));
    expect(told(await asked('Tell me of the red kettle.', 'It boils fast.'))).toBe(similar);
  });
});
