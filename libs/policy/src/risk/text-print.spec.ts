import { describe, expect, it } from 'vitest';
import { textPrint } from './text-print.js';

const numbersOf = (text: string): string[] => [...textPrint(text).numbers];
const namesOf = (text: string): string[] => [...textPrint(text).names];

describe('text print', () => {
  it('reads words in order, in lower case, with inner marks', () => {
    expect(textPrint("Don't book Smith-Jones, please!").plain).toBe("don't book smith-jones please");
    expect(textPrint('a a b')).toMatchObject({ wordCount: 3, words: new Set(['a', 'b']) });
  });

  it.each([
    ['It costs $12.50, at 7:30.', ['12.50', '7:30']],
    ['on March 3 in the evening', ['march', '3', 'evening']],
    ['two of them on Tuesday', ['two', 'tuesday']],
    ['I may take one', []],
    ['in May', []],
  ])('finds the numbers of %j', (text, numbers) => {
    expect(numbersOf(text)).toEqual(numbers);
  });

  it.each([
    ['We met Anna in Oslo', ['anna', 'oslo']],
    ['Anna is here. Oslo is far', []],
    ['At Zoe: Max? Tom! Ann', ['zoe']],
    ['yes I am OK with Bo', ['bo']],
    ['"Anna" came', ['anna']],
  ])('finds the names of %j', (text, names) => {
    expect(namesOf(text)).toEqual(names);
  });

  it('knows negation and questions', () => {
    expect(textPrint("I can't")).toMatchObject({ negated: true, asks: false });
    expect(textPrint('is it on? ')).toMatchObject({ negated: false, asks: true });
    expect(textPrint('knot')).toMatchObject({ negated: false });
  });

  it('reads nothing in no text', () => {
    expect(textPrint('')).toMatchObject({ wordCount: 0, plain: '', asks: false });
  });
});
