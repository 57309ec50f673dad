import type { PhraseData } from './phrase.types.js';

/** A message is compared without end punctuation, lower-cased and composed. */
function isComparable(message: string): boolean {
  const folded = message.normalize('NFKC').toLowerCase();
  return message !== '' && message === folded && !/^[\s.,;:!?¿¡'"]|[\s.,;:!?'"]$/.test(message);
}

/** Every fault of a language's phrases, in words; empty when they are sound. */
export function findPhraseProblems({ referring, politeness }: PhraseData): string[] {
  const { please, greetings, thanks } = politeness;
  const lists = { messages: referring.messages, please, greetings, thanks };
  const faults = Object.entries(lists).flatMap(([name, phrases]) =>
    phrases.filter((phrase) => !isComparable(phrase)).map((phrase) => `${name}: "${phrase}" can equal no message`),
  );
  const empty = Object.entries(lists).filter(([, phrases]) => phrases.length === 0);
  return [...faults, ...empty.map(([name]) => `${name}: empty`)];
}
