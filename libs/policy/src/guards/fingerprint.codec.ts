import { decodeAnswerPrint, encodeAnswerPrint } from './answer/answer-print.js';
import { GUARD_VERSION } from './guard.version.js';
import type { GuardFingerprint, GuardLanguage } from './guard.types.js';

const LANGUAGES: readonly string[] = ['en', 'de', 'und'] satisfies GuardLanguage[];

const join = (words: readonly string[]): string => words.join(' ');
const split = (words: string): string[] => (words === '' ? [] : words.split(' '));

function flags(fp: GuardFingerprint): number {
  return (fp.tooLong ? 1 : 0) | (fp.timeDependent ? 2 : 0) | (fp.personal ? 4 : 0) | (fp.missingReferent ? 8 : 0);
}

/** Compact text form of a fingerprint, to be stored with the entry. */
export function encodeFingerprint(fp: GuardFingerprint): string {
  const lists = [fp.formats, fp.cased, fp.names, fp.types, fp.tokens].map(join);
  const row = [fp.v, fp.language, fp.equal, flags(fp), fp.code, fp.subject, fp.person, ...lists];
  return JSON.stringify(fp.answer === undefined ? row : [...row, encodeAnswerPrint(fp.answer)]);
}

function isRow(row: unknown): row is [number, GuardLanguage, string, number, ...string[]] {
  if (!Array.isArray(row) || (row.length !== 12 && row.length !== 13)) return false;
  const values: readonly unknown[] = row;
  const types = values.every((value, index) => typeof value === (index === 0 || index === 3 ? 'number' : 'string'));
  return types && LANGUAGES.includes(String(values[1]));
}

function parseRow(stored: string): unknown {
  try {
    return JSON.parse(stored);
  } catch {
    return undefined;
  }
}

/** Reads a stored fingerprint; `undefined` for another version or for garbage, which the caller treats as no match. */
export function decodeFingerprint(stored: string): GuardFingerprint | undefined {
  const row = parseRow(stored);
  if (!isRow(row) || row[0] !== GUARD_VERSION) return undefined;
  const [v, language, equal, bits, code = '', subject = '', person = '', ...lists] = row;
  const [formats = '', cased = '', names = '', types = '', tokens = '', answer] = lists;
  return {
    v,
    language,
    equal,
    tooLong: (bits & 1) !== 0,
    timeDependent: (bits & 2) !== 0,
    personal: (bits & 4) !== 0,
    missingReferent: (bits & 8) !== 0,
    code,
    subject,
    person,
    formats: split(formats),
    cased: split(cased),
    names: split(names),
    types: split(types),
    tokens: split(tokens),
    ...(answer === undefined ? {} : { answer: decodeAnswerPrint(answer) }),
  };
}
