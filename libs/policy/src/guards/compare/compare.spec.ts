import { describe, expect, it } from 'vitest';
import type { GuardOptions } from '../index.js';
import { compareFingerprints, decodeFingerprint, encodeFingerprint, parseFingerprint } from '../index.js';

const decide = (a: string, b: string, cosine = 0.99, options: GuardOptions = {}) =>
  compareFingerprints(parseFingerprint(a), parseFingerprint(b), cosine, options);

describe('compareFingerprints', () => {
  it.each([
    ['What is the capital of Malta?', 'what is  the capital of Malta', 'equal'],
    ['How do I patch a tent?', 'What is the best way to patch a tent?', 'same-words'],
    ['How do I delete a photo?', 'How can I remove a photo?', 'aligned'],
    ['Who is the mayor of Ghent?', "Who is Ghent's mayor?", 'aligned'],
    ['Which are good schools in us?', 'Which are good schools in the US?', 'same-words'],
    ['How do I prepare for gate?', 'How can I prepare for GATE?', 'same-words'],
    ['How would you define Love?', 'How do you define love?', 'same-words'],
    ['How do I win at chess?', 'How can I win chess?', 'same-words'],
    ['Is it hard to learn Greek?', 'Is Greek hard to learn?', 'same-words'],
    ['How do I face my fear?', 'How do I face my fears?', 'same-words'],
    ['What should I do when my tent leaks?', 'What do I do when my tent leaks?', 'same-words'],
  ])('serves %s / %s: %s', (a, b, reason) => {
    expect(decide(a, b)).toEqual({ serve: true, reason });
    expect(decide(b, a)).toEqual(decide(a, b));
  });

  it.each([
    ['Why is the tent not dry?', 'Why is the tent dry?', 'negation'],
    ['How do I install Ruby 3.1?', 'How do I install Ruby 3.2?', 'number'],
    ['What is the capital of Malta?', 'What is the capital of Cyprus?', 'name'],
    ['Как поставить палатку?', 'Как сложить палатку?', 'language'],
    ['What is `a = b` in Ruby?', 'What is `a == b` in Ruby?', 'code'],
    ['What does 😀 mean?', 'What does 😢 mean?', 'code'],
    ['Explain tides as a table', 'Explain tides as bullet points', 'format'],
    ['Where was Verdi born?', 'When was Verdi born?', 'question-type'],
    ['Is the moat full?', 'Was the moat full?', 'tense'],
    ['Should cats drink milk?', 'Can cats drink milk?', 'modal'],
    ['Is my cat ill?', 'Is your cat ill?', 'pronoun'],
    ['Can I swim before lunch?', 'Can I swim after lunch?', 'preposition'],
    ['How do I look at stars?', 'How do I look for stars?', 'preposition'],
    ['What is the highest lake?', 'What is the lowest lake?', 'opposite'],
    ['How do I patch a tent?', 'How do I patch a kayak?', 'unaligned'],
    ['Do otters eat crabs?', 'Do crabs eat otters?', 'order'],
    ['How do I solve this equation?', 'How can I solve this equation?', 'referent'],
    ['How do I join us?', 'How do I join US?', 'case'],
    ['What is the weather in Oslo?', 'How is the weather in Oslo?', 'time-dependent'],
    ['Where is my order?', "Where's my order?", 'personal'],
    ['What is MAX?', 'What is max?', 'case'],
    ['How do I prepare for a gate?', 'How do I prepare for GATE?', 'case'],
    ['Is my dog in your garden?', 'Is your dog in my garden?', 'pronoun'],
    ['Can everybody vote?', 'Can anybody vote?', 'pronoun'],
    ['Is my dog ill?', 'Are my dogs ill?', 'number'],
    ["Where is the boys' tent?", "Where is the boy's tent?", 'number'],
    ['Are some swans black?', 'Are swans black?', 'number'],
    ['Do few people sing?', 'Do a few people sing?', 'number'],
    ['Is Bo like Ann?', 'Does Bo like Ann?', 'question-type'],
    ['Is the lake studied?', 'Has the lake been studied?', 'question-type'],
    ['Is coffee good?', 'Is coffee best?', 'opposite'],
    ['What is the top layer of soil?', 'What is the best layer of soil?', 'opposite'],
    ['How should a knight kneel?', 'How does a knight kneel?', 'modal'],
    ['What should I do when I am lost?', 'What do I do when I am lost?', 'modal'],
    ['How do I win a war?', 'How do I win at a war?', 'preposition'],
    ['Wie komme ich nach Essen?', 'Wie komme ich nach dem Essen?', 'preposition'],
    ["Is the king's son in the tent?", "Is the son in the king's tent?", 'order'],
    ['the', 'a', 'language'],
  ])('refuses %s / %s: %s', (a, b, reason) => {
    expect(decide(a, b)).toEqual({ serve: false, reason });
    expect(decide(b, a)).toEqual(decide(a, b));
  });

  it('refuses below the least cosine, and without a number', () => {
    const pair = ['How do I delete a photo?', 'How can I remove a photo?'] as const;
    expect(decide(...pair, 0.7).reason).toBe('cosine');
    expect(decide(...pair, 0.7, { minCosine: 0.65 }).serve).toBe(true);
    expect(decide(...pair, Number.NaN).serve).toBe(false);
  });

  it('refuses texts that say nothing', () => {
    for (const text of ['', '?!', ' ', '\u200b', '…']) expect(decide(text, text).serve).toBe(false);
  });

  it('serves long texts on equality only', () => {
    const long = 'The lock of the canal opens at dawn and the boats wait in a row. '.repeat(12);
    expect(decide(`${long}When?`, `${long}when?`).reason).toBe('equal');
    expect(decide(`${long}When does it open?`, `${long}When does it close?`).reason).toBe('length');
  });

  it('refuses fingerprints of another version', () => {
    const now = parseFingerprint('How do I patch a tent?');
    expect(compareFingerprints(now, { ...now, v: now.v + 1 }, 1).reason).toBe('version');
  });
});

describe('options', () => {
  it('switches one check off', () => {
    const pair = ['What is the weather in Oslo?', 'How is the weather in Oslo?'] as const;
    expect(decide(...pair, 0.99, { disabled: new Set(['time-dependent']) }).serve).toBe(true);
    expect(decide('Is the moat full?', 'Was the moat full?', 0.99, { disabled: new Set(['tense']) }).serve).toBe(true);
  });

  it('takes synonyms, droppable and hard words of the operator', () => {
    const pair = ['How do I archive a ticket?', 'How do I shelve a ticket?'] as const;
    expect(decide(...pair).reason).toBe('unaligned');
    expect(decide(...pair, 0.99, { extraWords: { synonyms: [['archive', 'shelve']] } }).reason).toBe('aligned');
    expect(decide('How do I reset a Frobnicator?', 'How do I reset a Frobnicator, kindly now?').serve).toBe(false);
    expect(decide(...pair, 0.99, { extraWords: { hard: ['shelve'] } }).reason).toBe('opposite');
    const longer = ['How do I park a van?', 'How do I park a company van?'] as const;
    expect(decide(...longer).reason).toBe('unaligned');
    expect(decide(...longer, 0.99, { extraWords: { droppable: ['company'] } }).serve).toBe(true);
  });
});

describe('encodeFingerprint', () => {
  it('gives the fingerprint back', () => {
    const fp = parseFingerprint('How do I install Ruby 3.1 on "my box"?');
    expect(decodeFingerprint(encodeFingerprint(fp))).toEqual(fp);
  });

  it('refuses garbage and other versions', () => {
    const stored = encodeFingerprint(parseFingerprint('How do I install Ruby?'));
    for (const other of ['', '[1,2]', '{}', 'null', stored.replace(/^\[\d+/, '[999'), stored.replace('"en"', '"xx"')]) {
      expect(decodeFingerprint(other)).toBeUndefined();
    }
  });

  it('decides the same from stored fingerprints', () => {
    const stored = (text: string) => {
      const fp = decodeFingerprint(encodeFingerprint(parseFingerprint(text)));
      if (fp === undefined) throw new Error('not read back');
      return fp;
    };
    const [a, b] = ['How do I delete a photo?', 'How can I remove a photo?'];
    expect(compareFingerprints(stored(a), stored(b), 0.9)).toEqual(decide(a, b, 0.9));
  });
});
