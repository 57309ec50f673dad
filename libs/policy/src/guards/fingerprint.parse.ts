import { casedWords } from './classify/case-sensitive.js';
import { isPersonalLine } from './classify/personal.js';
import { isReferringLine } from './classify/referring.js';
import { requestsInLine } from './classify/requested.js';
import { isTimeDependentLine } from './classify/time-dependent.js';
import { lowerLine } from './classify/line.js';
import { reduceText } from './analyse/tokenise.js';
import { GUARD_VERSION, MAX_ANALYSED_LENGTH } from './guard.version.js';
import type { GuardFingerprint } from './guard.types.js';
import type { LanguagePack } from './languages/language.types.js';
import { detectLanguage } from './languages/detect.js';
import { languagePack } from './languages/registry.js';
import { possiblePacksOf } from './phrases/phrase.registry.js';
import { equalKey } from './text/equal-key.js';
import { hashText } from './text/hash.js';
import { isLiteral, spokenCourtesy } from './text/literal.js';
import { spokenWords } from './text/spoken-words.js';
import { findNames } from './text/names.js';
import { unifyCharacters, unifyLineEnds } from './text/normalize.js';
import { cutExactSpans } from './text/spans.js';
import type { ExactSpans } from './text/spans.js';
import { ODD_QUOTE } from './text/spans.js';
import { findSymbols } from './text/symbols.js';

const NOTHING_REDUCED = { types: [], subject: 'gen', person: '?', tokens: [] };

/** Exactly compared spans as one hash; `''` when there are none. */
function codeHash(spans: ExactSpans, symbols: readonly string[]): string {
  const quotes = spans.quotes.map((quote) =>
    quote
      .replace(/[^\p{L}\p{N}_]+/gu, ' ')
      .trim()
      .toLowerCase(),
  );
  const asWritten = [...spans.quotes, ...spans.singles].filter((quote) => ODD_QUOTE.test(quote));
  const parts = [spans.code, spans.urls, quotes, spans.factorials, symbols, asWritten];
  return parts.every((part) => part.length === 0) ? '' : hashText(JSON.stringify(parts));
}

/** The words that a text speaks of, or those that it has in single quotes: compared as written. */
function spokenMark({ singles }: ExactSpans, spoken: string | undefined): string[] {
  if (spoken !== undefined) return [`words: ${spoken}`];
  return singles.map((quote) => `quote: ${quote.toLowerCase().trim()}`);
}

/** Names of a text; where every noun is capitalised, nouns that a frame has swallowed are none. */
function namesOf(text: string, tokens: readonly string[], pack: LanguagePack): string[] {
  const names = findNames(text);
  return pack.nounsAreCapitalised ? names.filter((name) => tokens.includes(name)) : names;
}

/** Parses a text into its fingerprint; never throws. A text over {@link MAX_ANALYSED_LENGTH} can only be served as `equal`. */
export function parseFingerprint(text: string): GuardFingerprint {
  const unified = unifyCharacters(unifyLineEnds(text));
  const spans = cutExactSpans(unified);
  const line = lowerLine(text);
  const phrases = possiblePacksOf(line);
  const literal = isLiteral(unified) ? unified.trim() : '';
  const courtesy = spokenCourtesy(unified);
  const spoken = literal === '' ? spokenWords(spans.rest) : undefined;
  const asWritten = literal !== '' || courtesy.length > 0;
  const politeIn = phrases.length === 1 && spoken === undefined ? phrases[0] : undefined;
  const key = !asWritten ? equalKey(unified, spans, politeIn) : unified.trim();
  const tooLong = text.length > MAX_ANALYSED_LENGTH;
  const language = tooLong ? 'und' : detectLanguage(spans.rest);
  const pack = languagePack(language);
  const reduced = pack === undefined ? NOTHING_REDUCED : reduceText(spans.rest, pack);
  const symbols = tooLong
    ? []
    : [
        ...findSymbols(spans.rest, reduced.tokens),
        ...courtesy,
        ...(literal === '' ? [] : [literal]),
        ...spokenMark(spans, spoken),
      ];
  return {
    v: GUARD_VERSION,
    equal: key === '' ? '' : hashText(key),
    language,
    tooLong,
    code: codeHash(spans, symbols),
    formats: requestsInLine(line),
    cased: casedWords(spans.rest, language),
    names: pack === undefined ? [] : namesOf(spans.rest, reduced.tokens, pack),
    types: reduced.types,
    subject: reduced.subject,
    person: reduced.person,
    tokens: reduced.tokens,
    timeDependent: isTimeDependentLine(line, phrases),
    personal: isPersonalLine(line, phrases),
    missingReferent: isReferringLine(line, phrases),
  };
}
