import { describe, expect, it } from 'vitest';
import { PHRASE_DATA, phrasePacks } from '../phrases/phrase.registry.js';
import { findPhraseProblems } from '../phrases/phrase.validate.js';
import { german } from './de/index.js';
import { english } from './en/index.js';
import englishAliases from './en/aliases.json' with { type: 'json' };
import hardWords from './en/hard-words.json' with { type: 'json' };
import numbers from './en/numbers.json' with { type: 'json' };
import softPrepositions from './en/soft-prepositions.json' with { type: 'json' };
import synonyms from './en/synonyms.json' with { type: 'json' };
import words from './en/words.json' with { type: 'json' };
import { compileFrames, compilePattern } from './frame.compiler.js';
import type { LexiconData } from './lexicon.types.js';
import { findLexiconProblems, validateLexicon } from './lexicon.validate.js';

const sound: LexiconData = {
  words,
  numbers,
  softPrepositions,
  aliases: englishAliases.aliases,
  synonyms: synonyms.groups,
  requestSynonyms: synonyms.inRequests,
  hard: hardWords.words,
};

describe('word data', () => {
  it('of English is sound', () => expect(findLexiconProblems(sound)).toEqual([]));

  it.each<[string, Partial<LexiconData>]>([
    ['"Upper" is not lower case', { hard: ['on Upper'] }],
    ['"color" is no group', { aliases: ['color'] }],
    ['"alone" is no group', { synonyms: ['alone'] }],
    ['"colour" has two canonical forms', { aliases: ['color colour', 'hue colour'] }],
    ['"two" has no whole value', { numbers: { ...numbers, values: { two: 2.5 } } }],
  ])('finds: %s', (problem, change) => {
    const broken = { ...sound, ...change };
    expect(findLexiconProblems(broken).join('; ')).toContain(problem);
    expect(() => validateLexicon('xx', broken)).toThrow(/^language xx: /);
  });

  it.each([english, german])('keeps $code words and their opposites apart', ({ lexicon, bases }) => {
    for (const [word, others] of lexicon.synonyms) {
      for (const other of others) expect(lexicon.synonyms.get(other)?.has(word), `${word} ${other}`).toBe(true);
    }
    expect(lexicon.hard.size).toBeGreaterThan(250);
    expect(bases('xyz')).toEqual(['xyz']);
  });
});

describe('frames', () => {
  it('refuse an unknown fragment and a bad pattern', () => {
    expect(() => compileFrames([{ match: '{{nothing}}' }], {})).toThrow('unknown fragment nothing');
    expect(() => compilePattern('(')).toThrow();
  });

  it('let `\\w` match letters of any script', () => {
    expect(compilePattern('^\\w+$').test('größe')).toBe(true);
    expect(compilePattern('^[\\w ]+$').test('été 5')).toBe(true);
  });
});

describe('phrase data', () => {
  it.each(Object.entries(PHRASE_DATA))('of %s is sound', (_, data) => expect(findPhraseProblems(data)).toEqual([]));

  it('finds what a message could never equal', () => {
    const data = PHRASE_DATA.en;
    if (data === undefined) throw new Error('no English');
    const referring = { ...data.referring, messages: ['Yes', 'no.', ' ok'] };
    expect(findPhraseProblems({ ...data, referring })).toHaveLength(3);
  });

  it('is indexed once per language', () => {
    expect(new Set(phrasePacks.map(({ language }) => language)).size).toBe(phrasePacks.length);
  });
});
