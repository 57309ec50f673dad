import { ADDRESS_WORD, CODE_WORD } from './spans.js';

const TOKEN = /[\p{L}\p{N}][\p{L}\p{N}_'&.+#-]*[\p{L}\p{N}_+#]|[\p{L}\p{N}]|[.?!:]/gu;
const IDENTIFIER = /[a-z][A-Z]|_|\d\p{L}|\p{L}\d|\.[\p{L}\p{N}_]/u;
const FIRST_PERSON = new Set(['i', "i'm", "i'd", "i've", "i'll"]);

const isUpper = (character: string): boolean => character !== character.toLowerCase();

function countCapitals(word: string): number {
  let capitals = 0;
  for (const character of word) if (isUpper(character)) capitals++;
  return capitals;
}

/** A written form that names something: capitalised inside a sentence, two capitals, camelCase, digit + letter, `_`, inner dot. */
function isName(part: string, sentenceStart: boolean): boolean {
  const capitalised = isUpper(part.charAt(0)) && !sentenceStart;
  if (capitalised && !FIRST_PERSON.has(part.toLowerCase())) return true;
  return (part.length > 1 && countCapitals(part) >= 2) || IDENTIFIER.test(part);
}

/** Names and identifiers of a text, lower-cased, in order, without repeats. */
export function findNames(text: string): string[] {
  const names = new Set<string>();
  let sentenceStart = true;
  for (const [token] of text.matchAll(TOKEN)) {
    if ('.?!:'.includes(token)) {
      sentenceStart = true;
      continue;
    }
    if (token === CODE_WORD || token === ADDRESS_WORD) continue;
    for (const part of token.split(/-|'s$/)) {
      if (part !== '' && isName(part, sentenceStart)) names.add(part.toLowerCase().replace(/^['.]+|['.]+$/g, ''));
    }
    sentenceStart = false;
  }
  return [...names];
}
