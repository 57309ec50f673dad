import { describe, expect, it } from 'vitest';
import { german } from '../languages/de/index.js';
import { english } from '../languages/en/index.js';
import { SENTENCE_END, readNumbers } from './read-numbers.js';

const read = (text: string, pack = english) => readNumbers(pack.lexicon, text.split(' ')).join(' ');

describe('readNumbers', () => {
  it.each([
    ['twenty three', '#23'],
    ['two hundred and five thousand', '#205000'],
    ['five three', '#5 #3'],
    ['a dozen eggs', 'a #12 eggs'],
    ['30k', '#30000'],
    ['5 thousand', '#5000'],
    ['1,000,000', '#1000000'],
    ['3.10', '#3.10'],
    ['3.0', '#3.0'],
    ['6pm', '#6 pm'],
    ['$5', '#5 usd'],
    ['-5', '#-5'],
    ['20%', '#20 percent'],
    ['3rd', '#o3'],
    ['the third', 'the #o3'],
    ['3rd of may', '#3 of may'],
    ['which one', 'which one'],
    ['one of them', 'one of them'],
    ['one egg', '#1 egg'],
    [`one ${SENTENCE_END}`, `one ${SENTENCE_END}`],
    ['60 second', '#60 second'],
    ['0x80', '#0x80'],
  ])('%s: %s', (text, tokens) => expect(read(text)).toBe(tokens));

  it.each([
    ['einundzwanzig', '#21'],
    ['zweihundert', '#200'],
    ['1.250', '#1250'],
    ['1,5', '#1,5'],
    ['der dritte', 'der #o3'],
    ['ein ei', 'ein ei'],
  ])('German: %s: %s', (text, tokens) => expect(read(text, german)).toBe(tokens));
});
