import { describe, expect, it } from 'vitest';
import { requestedFormats, requestedLanguages } from '../index.js';
import { casedWords } from './case-sensitive.js';

describe('requestedLanguages', () => {
  it.each([
    ['Explain tides in German', ['de']],
    ['Erkläre Gezeiten auf Englisch', ['en']],
    ['Explica las mareas en francés', ['fr']],
    ['Объясни приливы на польском', ['pl']],
    ['用日语解释潮汐', ['ja']],
    ['Translate this from Dutch to Czech, then to Turkish', ['nl', 'tr']],
    ['Explain tides', []],
  ])('%s', (text, languages) => expect(requestedLanguages(text)).toEqual(languages));
});

describe('requestedFormats', () => {
  it.each([
    ['List the planets as JSON', ['json']],
    ['Answer in a table', ['table']],
    ['Antworte in Stichpunkten', ['bullets']],
    ['In one sentence, what are tides?', ['sentence']],
    ['What are tides?', []],
  ])('%s', (text, formats) => expect(requestedFormats(text)).toEqual(formats));
});

describe('casedWords', () => {
  it.each([
    ['How do I join US?', ['us:U']],
    ['How do I join us?', []],
    ['Is Bath a bath?', ['bath:C']],
    ['Polish people like soup', []],
    ['HOW DO I JOIN US', []],
  ])('%s', (text, words) => expect(casedWords(text, 'en')).toEqual(words));
});
