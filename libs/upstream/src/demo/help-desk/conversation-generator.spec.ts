import { describe, expect, it } from 'vitest';
import {
  generateConversations,
  wordingsOf,
  type Conversation,
  type ConversationTurn,
} from './conversation-generator.js';
import { answerFor } from './ground-truth.js';
import { INTENTS } from './intents.js';
import type { DemoMessage } from './messages.js';

const conversations = generateConversations({ seed: 11, count: 1_500 });
const turnsOf = (list: readonly Conversation[]): ConversationTurn[] => list.flatMap((one) => one.turns);
const turns = turnsOf(conversations);
const byId = new Map(turns.map((turn) => [turn.id, turn]));
const share = (list: readonly ConversationTurn[], test: (turn: ConversationTurn) => boolean): number =>
  list.filter(test).length / list.length;

describe('generateConversations', () => {
  it('is the same for the same options and another for another seed', () => {
    expect(generateConversations({ seed: 11, count: 40 })).toEqual(conversations.slice(0, 40));
    expect(generateConversations({ seed: 12, count: 40 })).not.toEqual(conversations.slice(0, 40));
  });

  it('states at each turn the answer that the demo gives to the messages so far', () => {
    for (const { turns: said } of conversations) {
      const messages: DemoMessage[] = [{ role: 'system', content: 'Be brief.' }];
      for (const turn of said) {
        messages.push({ role: 'user', content: turn.user });
        const truth = answerFor(messages);
        expect(truth.answerKey).toBe(turn.answerKey);
        messages.push({ role: 'assistant', content: truth.text });
      }
    }
  });

  it('never asks what the help desk does not know', () => {
    expect(turns.filter((turn) => turn.intent === 'generic' || turn.answerKey.includes('|said='))).toEqual([]);
    expect(share(turns, (turn) => turn.intent === 'clarify')).toBeLessThan(0.02);
  });

  it('marks paraphrases: the same right answer in other words', () => {
    const marked = turns.filter((turn) => turn.paraphraseOf !== undefined);
    expect(marked.length).toBeGreaterThan(800);
    for (const turn of marked) {
      const first = byId.get(turn.paraphraseOf ?? '');
      expect(first?.answerKey).toBe(turn.answerKey);
      expect(first?.user).not.toBe(turn.user);
    }
  });

  it('marks near-misses: another right answer to nearly the same words', () => {
    const marked = turns.filter((turn) => turn.nearMissOf !== undefined);
    expect(marked.length).toBeGreaterThan(300);
    for (const turn of marked) expect(byId.get(turn.nearMissOf ?? '')?.answerKey).not.toBe(turn.answerKey);
    const kinds = new Set(marked.map((turn) => turn.intent));
    expect(kinds.size).toBeGreaterThan(30);
    expect([...kinds].filter((intent) => /\.(on|off)$/.test(intent)).length).toBeGreaterThan(2);
  });

  it('has follow-ups whose right answer depends on what came before', () => {
    const keysByText = new Map<string, Set<string>>();
    for (const turn of turns.filter((one) => one.followUp !== undefined)) {
      keysByText.set(turn.user, (keysByText.get(turn.user) ?? new Set()).add(turn.answerKey));
    }
    const several = [...keysByText].filter(([, keys]) => keys.size > 1).map(([text]) => text);
    expect(several.length).toBeGreaterThan(60);
    for (const text of ['When will it arrive?', 'How long does that take?']) expect(several).toContain(text);
  });

  it.each([
    [
      { followUpShare: 0 },
      (turn: ConversationTurn) => !['thanks', 'bye', 'hello', undefined].includes(turn.followUp),
      0,
      0,
    ],
    [{ followUpShare: 0.9 }, (turn: ConversationTurn) => turn.followUp !== undefined, 0.6, 0.8],
    [{ nearMissShare: 0 }, (turn: ConversationTurn) => turn.nearMissOf !== undefined, 0, 0],
    [{ nearMissShare: 0.5 }, (turn: ConversationTurn) => turn.nearMissOf !== undefined, 0.15, 0.4],
    [
      { paraphraseShare: 0 },
      (turn: ConversationTurn) => /^(hi|please|could|can you tell|show)\b/i.test(turn.user),
      0,
      0.02,
    ],
    [{ minTurns: 1, maxTurns: 1 }, (turn: ConversationTurn) => turn.id.endsWith('.0'), 1, 1],
  ])('obeys %j', (options, test, low, high) => {
    const found = share(turnsOf(generateConversations({ seed: 3, count: 400, ...options })), test);
    expect(found).toBeGreaterThanOrEqual(low);
    expect(found).toBeLessThanOrEqual(high);
  });

  it('asks for popular things more often', () => {
    const flat = { seed: 5, count: 1_500, maxTurns: 1, repeatShare: 0, nearMissShare: 0 };
    const asked = (zipfExponent: number): number =>
      share(turnsOf(generateConversations({ ...flat, zipfExponent })), (turn) => turn.intent === 'order.status');
    expect(asked(1.2)).toBeGreaterThan(3 * asked(0.2));
  });

  it('knows at least twelve wordings of each intent, nearly all of them several dozen', () => {
    for (const intent of INTENTS) {
      expect([intent.id, wordingsOf(intent.id).length >= 12]).toEqual([intent.id, true]);
    }
    expect(INTENTS.filter((intent) => wordingsOf(intent.id).length >= 36).length).toBeGreaterThan(INTENTS.length / 2);
  });
});
