import { describe, expect, it } from 'vitest';
import { hardGuards, parseFingerprint } from '../index.js';

const walls = (a: string, b: string) => hardGuards(parseFingerprint(a), parseFingerprint(b));

describe('hardGuards', () => {
  it.each([
    ['Pack 3 tents for the trip', 'We need 4 tents for that trip', 'number'],
    ['A ladder of 3 m, is it tall?', 'Is a ladder of 3 cm very tall?', 'number'],
    ['Why does the bell not ring?', 'What makes the bell ring?', 'negation'],
    ['Explain the siege of Malta', 'How did the siege of Rhodes go?', 'name'],
    ['How do I enable the alarm?', 'What is the way to disable our alarm?', 'opposite'],
    ['Can I mute a long call?', 'Is there a way to unmute a call?', 'opposite'],
    ['How do I switch the lamp on?', 'Could I switch the big lamp off?', 'opposite'],
    ['Explain `a = 1`', 'What does `a = 2` do?', 'code'],
    ['Explain tides in German', 'What are tides, in Polish?', 'format'],
    ['Как поставить палатку?', 'Как сложить палатку?', 'language'],
    ['How do I pack a tent?', 'Wie packe ich ein Zelt ein?', 'language'],
    ['Ferries from Kiel to Oslo', 'When do the ferries from Oslo to Kiel sail?', 'order'],
    ['Do otters eat crabs?', 'Is it so that crabs eat otters?', 'order'],
    ['Is tea better than coffee?', 'Why is coffee better than tea?', 'order'],
    ['How do I join us?', 'How do I join US?', 'case'],
  ])('%s / %s: %s', (a, b, reason) => {
    expect(walls(a, b)).toBe(reason);
    expect(walls(b, a)).toBe(reason);
  });

  it.each([
    ['How do I patch a tent?', 'What does patching a tent involve?'],
    ['Как поставить палатку?', 'как поставить палатку'],
    ['Which bait do trout like?', 'What bait would trout like the river?'],
  ])('lets the budget decide on %s / %s', (a, b) => expect(walls(a, b)).toBeUndefined());

  it('can be switched off one by one', () => {
    const [a, b] = [parseFingerprint('We need 3 tents'), parseFingerprint('We need 4 tents')];
    expect(hardGuards(a, b)).toBe('number');
    expect(hardGuards(a, b, { disabled: new Set(['number']) })).toBeUndefined();
  });
});
