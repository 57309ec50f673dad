import { describe, expect, it } from 'vitest';
import { parseFingerprint } from '../index.js';

const equal = (a: string, b: string) => {
  const [x, y] = [parseFingerprint(a).equal, parseFingerprint(b).equal];
  return x !== '' && x === y;
};

describe('what counts as equal', () => {
  it.each([
    ['How do I descale a kettle?', '  how do I  DESCALE a kettle  '],
    ['Wie lange muss ein Soufflé backen?', 'Wie lange muss ein Souffle\u0301 backen?'],
    ['Boil ３ eggs', 'boil 3 eggs'],
    ['كم ٥ + ٧؟', 'كم 5 + 7'],
    ['“Hello” – what is it?', '"Hello" - what is it?'],
    ['Was ist bitte ein Fjord?', 'Was ist ein Fjord?'],
    ['¿Cuál es el río más largo?', 'cual es el río más largo, por favor'],
    ['Bonjour, quelle heure est-il ?', "quelle heure est-il s'il vous plaît"],
    ['Спасибо! Как сварить рис?', 'Как сварить рис?'],
    ['请问如何煮饭？', '如何煮饭'],
    ['Hi! Explain tides. Thanks!', 'explain tides'],
    ['a\r\nb', 'a\nb  '],
  ])('%j = %j', (a, b) => expect(equal(a, b)).toBe(true));

  it.each([
    ['1.000', '1,000'],
    ['a, not b', 'a not, b'],
    ['What is 5!', 'What is 5'],
    ['What is 5²?', 'What is 52?'],
    ['Is 1½ more than 2?', 'Is 11⁄2 more than 2?'],
    ['What does merci mean?', 'What does bonjour mean?'],
    ['Was heißt danke auf Englisch?', 'Was heißt hallo auf Englisch?'],
    ['申请签证', '申签证'],
    ['Wie viel sind 5 Maße?', 'Wie viel sind 5 Masse?'],
    ['x = {A}', 'x = {a}'],
    ['if a:\n  b()\nc()', 'if a:\n  b()\n  c()'],
    ['Read https://example.com/A', 'Read https://example.com/a'],
    ['Repeat "Hello"', 'Repeat "hello"'],
    ['`Foo`', '`foo`'],
    ['\ud800', '\ud801'],
    ['😀', '😁'],
    ['', ''],
    ['?', '!'],
    ['\u200b', '\u200b\u200b'],
  ])('%j ≠ %j', (a, b) => expect(equal(a, b)).toBe(false));
});
