import { textPrint } from './text-print.js';
import { hashWord, type WordHashes, wordHashes } from './word-hashes.js';

/** What the features compare of a text: its print with hashes in place of words, so that it can be stored in little room. */
export interface TextMarks {
  readonly words: WordHashes;
  readonly wordCount: number;
  /** 64 bits of the words in order, two numbers: two texts are "equal" when these are. */
  readonly plain: readonly [number, number];
  /** Digit tokens, months, weekdays, number words, parts of day. */
  readonly numbers: WordHashes;
  /** Capitalised words that do not begin a sentence. */
  readonly names: WordHashes;
  readonly negated: boolean;
  readonly asks: boolean;
}

const SECOND_BASIS = 0x9747b28c;

export function textMarks(text: string): TextMarks {
  const { words, wordCount, plain, numbers, names, negated, asks } = textPrint(text);
  return {
    words: wordHashes(words),
    wordCount,
    plain: [hashWord(plain), hashWord(plain, SECOND_BASIS)],
    numbers: wordHashes(numbers),
    names: wordHashes(names),
    negated,
    asks,
  };
}
