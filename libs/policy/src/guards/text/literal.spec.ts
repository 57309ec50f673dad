import { describe, expect, it } from 'vitest';
import { compareFingerprints, parseFingerprint } from '../index.js';

const serves = (a: string, b: string) => compareFingerprints(parseFingerprint(a), parseFingerprint(b), 1).serve;

describe('what a text is about', () => {
  it.each([
    ['Wann kommt Ihr Paket?', 'Wann kommt ihr Paket?'],
    ['Wo wohnen Sie?', 'Wo wohnen sie?'],
    ['Convert 5 Mb to kB', 'Convert 5 MB to kB'],
    ['Convert 3 mW to W', 'Convert 3 MW to W'],
    ['What is the formula of CO?', 'What is the formula of Co?'],
    ['Redirect http://a.com to http://b.com', 'Redirect http://b.com to http://a.com'],
    ['Forward mail from a@x.com to b@x.com', 'Forward mail from b@x.com to a@x.com'],
    ['Explain git add .', 'Explain git add'],
    ['Explain git checkout -', 'Explain git checkout'],
    ['What does ls -l do', 'What does ls -L do'],
    ['What does ls -l do', 'What does ls l do'],
    ['What does f(a, b) do', 'What does f(b, a) do'],
    ['What does a[0] do', 'What does a(0) do'],
    ['What is .NET?', 'What is NET?'],
    ['What is @property', 'What is property'],
    ['What is blood type O-', 'What is blood type O'],
    ['What does :) mean', 'What does :( mean'],
    ['How tall is 6\' 2"', 'How tall is 6" 2\''],
    ['What is 5′', 'What is 5″'],
    ['What is x̄', 'What is x'],
    ['Explain if x:\n  a()\n  b()', 'Explain if x:\n  a()\nb()'],
    ['How do you say please in French?', 'How do you say in French?'],
    ['Who sang Hello?', 'Who sang Thank You?'],
    ['Write a thanks card', 'Write a card'],
    ['Translate into German: thank you', 'Translate into German: please'],
    ['Что значит слово пожалуйста', 'Что значит слово'],
    ['Correct the spelling: i like paris', 'Correct the spelling: I like Paris'],
    ['Count the capitals in Hello World', 'Count the capitals in hello world'],
    ['Rate the sentiment: great!', 'Rate the sentiment: great?'],
    ['Korrigiere: ich mag berlin', 'Korrigiere: Ich mag Berlin'],
  ])('%j ≠ %j', (a, b) => {
    expect(serves(a, b)).toBe(false);
    expect(serves(a, a)).toBe(true);
  });

  it.each([
    ['Hello, how do I boil rice? Thanks!', 'how can I boil rice'],
    ['Wo finde ich den Flugmodus?', 'wo finde ich den flugmodus'],
    ['Write a poem about the sea, please', 'write a poem about the sea'],
    ['What is the size of a 5 MB file?', 'what is the size of a 5 MB file'],
  ])('%j = %j', (a, b) => expect(serves(a, b)).toBe(true));
});
