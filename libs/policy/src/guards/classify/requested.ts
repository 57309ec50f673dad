import requests from '../languages/requests.json' with { type: 'json' };
import { compilePattern } from '../languages/frame.compiler.js';
import { lowerLine } from './line.js';

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

interface Request {
  readonly name: string;
  readonly pattern: RegExp;
}

function compileRequest(name: string, phrases: readonly string[]): Request {
  const spaced = phrases.filter((phrase) => !UNSPACED.test(phrase)).join('|');
  const glued = phrases.filter((phrase) => UNSPACED.test(phrase));
  const alternatives = [`(?<![\\p{L}\\p{N}])(?:${spaced})(?![\\p{L}\\p{N}])`, ...glued];
  return { name, pattern: compilePattern(alternatives.join('|')) };
}

const compileAll = (table: Readonly<Record<string, readonly string[]>>): readonly Request[] =>
  Object.entries(table).map(([name, phrases]) => compileRequest(name, phrases));

const formats = compileAll(requests.formats);
const languages = compileAll(requests.languages);

/** One pattern over everything, so that the usual text costs one scan. */
const ANY = new RegExp([...formats, ...languages].map(({ pattern }) => pattern.source).join('|'), 'u');

function namesIn(table: readonly Request[], line: string): string[] {
  return table.filter(({ pattern }) => pattern.test(line)).map(({ name }) => name);
}

/** Output formats and languages that a lower-cased line mentions, sorted; languages carry the prefix `lang:`. */
export function requestsInLine(line: string): string[] {
  if (!ANY.test(line)) return [];
  return [...namesIn(formats, line), ...namesIn(languages, line).map((name) => `lang:${name}`)].sort();
}

/** Languages that a text mentions, as codes, sorted: the same question with another one is another question. */
export function requestedLanguages(text: string): string[] {
  return namesIn(languages, lowerLine(text)).sort();
}

/** Output formats that a text mentions (json, table, one-word …), sorted. */
export function requestedFormats(text: string): string[] {
  return namesIn(formats, lowerLine(text)).sort();
}
