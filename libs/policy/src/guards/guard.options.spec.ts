import { describe, expect, it } from 'vitest';
import {
  compareFingerprints,
  decodeFingerprint,
  encodeFingerprint,
  explainGuard,
  findExtraWordProblems,
  guardOptionsOf,
  guardRuleId,
  parseFingerprint,
} from './index.js';

type Guards = Parameters<typeof guardOptionsOf>[0]['guards'];

const optionsWith = (guards: Partial<Guards>) =>
  guardOptionsOf({ guards: { disabled: [], extraWords: [], ...guards }, strictSimilarity: { minCosine: 0.85 } });
const decide = (a: string, b: string, guards: Partial<Guards>) =>
  compareFingerprints(parseFingerprint(a), parseFingerprint(b), 0.99, optionsWith(guards));

describe('words of an operator', () => {
  const shelve = ['How do I archive a ticket?', 'How do I shelve a ticket?'] as const;

  it('are synonyms in the texts of their language only', () => {
    expect(decide(...shelve, {})).toEqual({ serve: false, reason: 'unaligned' });
    expect(decide(...shelve, { synonyms: { en: [['archive', 'shelve']] } })).toEqual({
      serve: true,
      reason: 'aligned',
    });
    expect(decide(...shelve, { synonyms: { de: [['archive', 'shelve']] } }).serve).toBe(false);
    const german = ['Wie archiviere ich ein Ticket?', 'Wie verwahre ich ein Ticket?'] as const;
    expect(decide(...german, {}).serve).toBe(false);
    expect(decide(...german, { synonyms: { de: [['archivieren', 'verwahren']] } }).serve).toBe(true);
  });

  it('may be left out, names with a capital included', () => {
    const acme = ['How do I reset my Acme password?', 'How do I reset my password?'] as const;
    expect(decide(...acme, {})).toEqual({ serve: false, reason: 'name' });
    expect(decide(...acme, { droppable: { en: ['acme'] } }).serve).toBe(true);
    expect(decide(...acme, { droppable: { de: ['acme'] } }).serve).toBe(false);
  });

  it('let one name stand for another', () => {
    const names = ['How do I update my Acme plan?', 'How do I update my Zenith plan?'] as const;
    expect(decide(...names, {}).reason).toBe('name');
    expect(decide(...names, { synonyms: { en: [['acme', 'zenith']] } }).serve).toBe(true);
  });

  it('never unite opposites, and never drop a word that has one, a negation or a number', () => {
    expect(
      decide('How do I increase volume?', 'How do I decrease volume?', { synonyms: { en: [['increase', 'decrease']] } })
        .serve,
    ).toBe(false);
    expect(decide('Which is the cheapest boat?', 'Which is the boat?', { droppable: { en: ['cheapest'] } }).serve).toBe(
      false,
    );
    expect(decide('Why is the tent not dry?', 'Why is the tent dry?', { droppable: { en: ['not'] } }).serve).toBe(
      false,
    );
    expect(decide('Book 2 seats', 'Book seats', { droppable: { en: ['two'] } }).serve).toBe(false);
    expect(
      decide('Reset my premium plan', 'Reset my plan', { droppable: { en: ['premium'] }, extraWords: ['premium'] })
        .serve,
    ).toBe(false);
  });

  it('that can have no effect are named', () => {
    const options = optionsWith({
      droppable: { en: ['acme', 'not', 'cheapest'], de: ['nicht'] },
      synonyms: {
        en: [
          ['archive', 'shelve'],
          ['increase', 'decrease'],
          ['into', 'towards'],
        ],
      },
    });
    expect(findExtraWordProblems(options)).toEqual([
      'droppable en: "not" is a function word (negation) and is never dropped',
      'droppable en: "cheapest" has an opposite and is never dropped',
      'synonyms en: "increase decrease" would unite "increase" and "decrease", which stay apart',
      'synonyms en: "into towards" has a function word, which stands for itself',
      'synonyms en: "into towards" has a function word, which stands for itself',
      'droppable de: "nicht" is a function word (negation) and is never dropped',
    ]);
    expect(findExtraWordProblems({})).toEqual([]);
  });

  it('are in force for fingerprints that were stored before they were added, and out of force once removed', () => {
    const stored = encodeFingerprint(parseFingerprint(shelve[0]));
    const asked = parseFingerprint(shelve[1]);
    const compare = (guards: Partial<Guards>) => {
      const before = decodeFingerprint(stored) ?? expect.fail('not read');
      return compareFingerprints(asked, before, 0.99, optionsWith(guards)).serve;
    };
    expect([compare({}), compare({ synonyms: { en: [['archive', 'shelve']] } }), compare({})]).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe('the name of a rule', () => {
  it('is the version of the parser, and a hash of what the operator changed', () => {
    const plain = guardRuleId(optionsWith({}));
    expect(plain).toMatch(/^\d+$/);
    expect(guardRuleId({})).toBe(plain);
    const changed = [
      { disabled: ['tense'] },
      { extraWords: ['premium'] },
      { droppable: { en: ['acme'] } },
      { droppable: { de: ['acme'] } },
      { synonyms: { en: [['archive', 'shelve']] } },
    ].map((guards) => guardRuleId(optionsWith(guards)));
    for (const name of changed) expect(name).toMatch(new RegExp(`^${plain}\\+[\\w-]{8}$`));
    expect(new Set(changed).size).toBe(changed.length);
    expect(guardRuleId(optionsWith({ extraWords: ['premium'] }))).toBe(changed[1]);
  });

  it('is part of an explanation', () => {
    const options = optionsWith({ extraWords: ['premium'] });
    expect(explainGuard('a tent', 'a kayak', 0.9, options).rule).toBe(guardRuleId(options));
  });

  it('is found once per policy object, like the index of its words', () => {
    const policy = { guards: { disabled: [], extraWords: [] }, strictSimilarity: { minCosine: 0.85 } };
    expect(guardOptionsOf(policy)).toBe(guardOptionsOf({ ...policy }));
    expect(guardOptionsOf({ ...policy, strictSimilarity: { minCosine: 0.9 } })).not.toBe(guardOptionsOf(policy));
  });
});
