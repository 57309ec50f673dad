import { GUARD_VERSION, MAX_ANALYSED_LENGTH } from './guard.version.js';
import type { GuardFingerprint } from './guard.types.js';
import { isEnglish } from './languages/en/detect.js';
import { equalKey } from './text/equal-key.js';
import { hashText } from './text/hash.js';
import { findNames } from './text/names.js';
import { unifyCharacters, unifyLineEnds } from './text/normalize.js';
import { cutExactSpans } from './text/spans.js';
import type { ExactSpans } from './text/spans.js';

const WORD = /[\p{L}\p{N}_]+(?:[.'&+#,:][\p{L}\p{N}_]+)*[+#]*|[+*/=<>^%~|\\$€£°]/gu;

function codeHash(spans: ExactSpans, rest: string): string {
  const symbols = (rest.match(/[+*/=<>^%~|\\$€£°]/g) ?? []).sort();
  const parts = [spans.code, spans.urls, spans.quotes, spans.factorials, symbols];
  return parts.every((part) => part.length === 0) ? '' : hashText(JSON.stringify(parts));
}

/** Parses a text into its fingerprint; never throws. Texts over {@link MAX_ANALYSED_LENGTH} can only be served as `equal`. */
export function parseFingerprint(text: string): GuardFingerprint {
  const unified = unifyCharacters(unifyLineEnds(text));
  const spans = cutExactSpans(unified);
  const key = equalKey(text, spans);
  const tooLong = text.length > MAX_ANALYSED_LENGTH;
  const analysed = !tooLong && isEnglish(spans.rest);
  return {
    v: GUARD_VERSION,
    equal: key === '' ? '' : hashText(key),
    language: analysed ? 'en' : 'und',
    tooLong,
    code: codeHash(spans, spans.rest),
    formats: [],
    cased: [],
    names: analysed ? findNames(spans.rest) : [],
    types: [],
    subject: '',
    person: '',
    tokens: analysed ? (spans.rest.toLowerCase().match(WORD) ?? []) : [],
    timeDependent: false,
    personal: false,
    missingReferent: false,
  };
}
