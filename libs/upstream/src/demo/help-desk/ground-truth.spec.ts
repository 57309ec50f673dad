import { describe, expect, it } from 'vitest';
import { fillFrame } from './frames.js';
import { answerFor } from './ground-truth.js';
import { INTENTS, WORDING_KINDS, answerKeyOf } from './intents.js';
import { sampleSlots, fillSlots } from './slot-values.js';
import { SeededRandom } from './seeded-random.js';

describe('understanding', () => {
  it('reads every wording of every intent as that intent and nothing else', () => {
    const random = new SeededRandom(7);
    const wrong: string[] = [];
    let seen = 0;
    for (const intent of INTENTS) {
      for (const { field, frames } of WORDING_KINDS) {
        for (const phrase of intent[field] ?? []) {
          for (const frame of frames) {
            const slots = sampleSlots(intent, random);
            const text = fillFrame(frame, fillSlots(phrase, slots));
            const said = { ...slots };
            if (!phrase.includes('{currency}')) delete said.currency;
            const key = answerFor([{ role: 'user', content: text }]).answerKey;
            seen += 1;
            if (key !== answerKeyOf(intent, said)) wrong.push(`${text} → ${key}`);
          }
        }
      }
    }
    expect(wrong.slice(0, 40)).toEqual([]);
    expect(seen).toBeGreaterThan(2_000);
  });
});
