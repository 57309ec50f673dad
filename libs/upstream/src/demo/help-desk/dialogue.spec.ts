import { describe, expect, it } from 'vitest';
import { FOLLOW_UPS, readFollowUp } from './follow-ups.js';
import { answerFor, isSameAnswer } from './ground-truth.js';
import type { DemoMessage } from './messages.js';
import { SeededRandom } from './seeded-random.js';
import { fillSlots, sampleSlot } from './slot-values.js';
import type { SlotName, Slots } from './entities.js';

const talk = (...texts: string[]): DemoMessage[] => texts.map((content) => ({ role: 'user', content }));
const keyOf = (...texts: string[]): string => answerFor(talk(...texts)).answerKey;

describe('follow-ups', () => {
  it('reads every wording of every kind as that kind', () => {
    const random = new SeededRandom(3);
    for (const { kind, wordings } of FOLLOW_UPS) {
      for (const wording of wordings) {
        const slots: Slots = {};
        for (const [, slot] of wording.matchAll(/\{([a-z0-9]+)\}/g)) {
          slots[slot as SlotName] = sampleSlot(slot as SlotName, random);
        }
        const text = fillSlots(wording, slots);
        expect([text, readFollowUp(text)?.kind, readFollowUp(text.toLowerCase())?.kind]).toEqual([text, kind, kind]);
      }
    }
  });

  it.each([
    [['What does the Lumo desk lamp cost?', 'Is it in stock?'], 'product.stock|product=Lumo desk lamp'],
    [['Is the Brisa fan available?', 'How much is it?'], 'product.price|product=Brisa fan|currency=euro'],
    [['Where is order 48213?', 'How much is it?'], 'order.total|order=48213'],
    [['Where is order 48213?', 'When will it arrive?'], 'order.arrival|order=48213'],
    [['Where is order 48213?', 'And order 48214?'], 'order.status|order=48214'],
    [['Where is order 48213?', 'Yes, please.'], 'yes|notify|order=48213'],
    [['Where is order 48213?', 'Thanks!', 'Yes'], 'clarify|yes'],
    [['How do I return an item?', 'Yes'], 'yes|label'],
    [
      ['Which lamps do you have?', 'How much is the second one?'],
      'product.price|product=Vesper floor lamp|currency=euro',
    ],
    [
      ['How much is the Kessa kettle?', 'Which lamps do you have?', 'And the first one?'],
      'product.about|product=Lumo desk lamp',
    ],
    [
      ['Which lamps do you have?', 'How much is the first one?', 'And the third one?'],
      'product.price|product=Halden wall lamp|currency=euro',
    ],
    [['How much is the Kessa kettle?', 'And in dollars?'], 'product.price|product=Kessa kettle|currency=dollar'],
    [['When are you open on Monday?', 'What about Sunday?'], 'hours.day|day=Sunday'],
    [['How do I turn on order alerts?', 'How do I undo that?'], 'alerts.off'],
    [['How do I reset my password?', 'How long does that take?'], 'duration|password.reset'],
    [['How do I close my account?', 'Why?'], 'why|account.close'],
    [['Where is order 48213?', 'Can you say that again?'], 'order.status|order=48213'],
    [['How much is it?'], 'clarify|price'],
    [['yes'], 'clarify|yes'],
    [['And the second one?'], 'clarify|ordinal'],
    [['Thank you.'], 'thanks'],
    [['Where is order 48213?', 'Thanks a lot!'], 'thanks'],
  ])('%j has the answer %s', (texts, key) => {
    expect(keyOf(...texts)).toBe(key);
  });

  it('gives an equal answer after an equal history in other words, and another one after another', () => {
    const lamp = talk('How much is the Lumo desk lamp?', 'Is it in stock?');
    expect(isSameAnswer(lamp, talk('Please tell me the price of the Lumo desk lamp.', 'Is it available?'))).toBe(true);
    expect(isSameAnswer(lamp, talk('How much is the Vesper floor lamp?', 'Is it in stock?'))).toBe(false);
  });
});

describe('near-misses', () => {
  it.each([
    ['Where is order 48213?', 'Where is order 48231?'],
    ['How do I turn on order alerts?', 'How do I turn off order alerts?'],
    ['How do I return an item with a receipt?', 'How do I return an item without a receipt?'],
    [
      'How much is it to move a parcel from Arvik to Castelo?',
      'How much is it to move a parcel from Castelo to Arvik?',
    ],
    ['Is the Orvo chair cheaper than the Stilla chair?', 'Is the Stilla chair cheaper than the Orvo chair?'],
    ['When are you open on 24 December?', 'When are you open on 26 December?'],
    ['Can you deliver a parcel of 30 kg?', 'Can you deliver a parcel of 30 lb?'],
    ['How much is the Lumo desk lamp in dollars?', 'How much is the Lumo desk lamp in pounds?'],
    ['What changed in version 2.1 of the app?', 'What changed in version 3.1 of the app?'],
    ['What is the extension of Nora Vestby?', 'What is the extension of Ines Carvalho?'],
    ['Can I return an opened item?', 'Can I return an unopened item?'],
    ['How do I reset my password?', "Why can't I reset my password?"],
    ['How do I reset my password?', 'How do I reset my password in German?'],
    ['How do I cancel order 48213?', 'How do I not cancel order 48213?'],
  ])('%s / %s', (first, second) => {
    expect(isSameAnswer(talk(first), talk(second))).toBe(false);
  });
});

describe('anything else', () => {
  it.each([
    'What is the capital of Peru?',
    'Schreibe ein Gedicht über Regen',
    'שלום',
    '今日は',
    '🙂',
    'a'.repeat(50_000),
    '\ud800',
    ' ',
  ])('gets a plausible answer of its own', (text) => {
    const truth = answerFor(talk(text));
    expect(truth).toEqual(answerFor(talk(text)));
    expect(truth.text.length).toBeGreaterThan(60);
    expect(truth.text.length).toBeLessThan(700);
    expect(truth.answerKey).not.toBe(keyOf(`${text} x`));
  });

  it('depends on the history only where the text points back', () => {
    expect(keyOf('Where is order 48213?', 'What is the capital of Peru?')).toBe(keyOf('What is the capital of Peru?'));
    expect(keyOf('Where is order 48213?', 'Tell me a joke about them')).not.toBe(keyOf('Tell me a joke about them'));
  });

  it('reads lists of text parts and ignores other roles', () => {
    const parts = [
      { type: 'text', text: 'Where is order 48213?' },
      { type: 'image_url', image_url: {} },
    ];
    const messages = [
      { role: 'system', content: 'Where is order 1111?' },
      { role: 'user', content: parts },
    ];
    expect(answerFor(messages).answerKey).toBe('order.status|order=48213');
    expect(answerFor([{ role: 'system', content: 'x' }]).answerKey).toBe('hello');
  });
});
