import type { LanguagePack } from '../languages/language.types.js';
import { trimCharacters } from '../text/normalize.js';
import { SENTENCE_END, readNumbers } from './read-numbers.js';

/** Words with inner dots and marks ("node.js", "c++"), numbers with sign, currency and unit, single symbols. */
const WORD =
  /(?:(?<![\p{L}\p{N}_)])-)?[$€£¥₹]?\d[\d.,:/]*\d[\p{L}%°]*|(?:(?<![\p{L}\p{N}_)])-)?[$€£¥₹]?\d[\p{L}%°]*|\p{L}[\p{L}\p{N}_]*(?:[.'&+#][\p{L}\p{N}]+)*[+#]*|_+[\p{L}\p{N}_]+|[+*/=<>^%~|\\$€£°]/gu;
const SENTENCE_BREAK = /(?<=[\p{L}\p{N}'])[.?!]+(?=\s|$)\s*/u;
/** Requests in a row are one request. */
const REQUESTS: ReadonlySet<string> = new Set(['REQ', 'WANT', 'NONE']);

/** A text without politeness and question frames. */
export interface ReducedText {
  readonly types: readonly string[];
  readonly subject: string;
  readonly person: string;
  readonly tokens: readonly string[];
}

function mergeRequests(types: readonly string[]): readonly string[] {
  if (types.length < 2 || !types.every((type) => REQUESTS.has(type))) return types;
  return [types.some((type) => type !== 'NONE') ? 'REQ' : 'NONE'];
}

/** A sentence of fillers only ("Thanks!", "Hi.") says nothing. */
function isPoliteness(sentence: string, { lexicon }: LanguagePack): boolean {
  const words = sentence.match(WORD) ?? [];
  return words.length > 0 && words.every((word) => lexicon.entries.get(word)?.kind === 'filler');
}

/** Reads the frames of every sentence and the words that are left. */
export function reduceText(text: string, language: LanguagePack): ReducedText {
  const types: string[] = [];
  const words: string[] = [];
  let subject = 'gen';
  let person = '?';
  for (const sentence of language.prepare(text).split(SENTENCE_BREAK)) {
    if (sentence.trim() === '' || isPoliteness(sentence, language)) continue;
    const reading = language.readSentence(trimCharacters(sentence, ' ,;:'));
    subject = reading.subject ?? subject;
    person = reading.person ?? person;
    if (reading.type !== 'NONE' || reading.rest.trim() !== '') types.push(reading.type);
    words.push(...(reading.rest.match(WORD) ?? []), SENTENCE_END);
  }
  return { types: mergeRequests(types), subject, person, tokens: readNumbers(language.lexicon, words) };
}
