import type { GuardFingerprint } from '../guard.types.js';
import type { LanguagePack } from '../languages/language.types.js';
import { languagePack } from '../languages/registry.js';
import type { Analysis } from './analysis.types.js';
import { SENTENCE_END } from './read-numbers.js';
import { readWordRoles } from './read-words.js';
import type { WordReading } from './read-words.js';

const SYMBOL = /^[+*/=<>^%~|\\$€£°]$/;
const FIRST_PERSONS = new Set(['i', 'you', 'we']);

const analyses = new WeakMap<GuardFingerprint, Analysis>();

function strandedPrepositions(tokens: readonly string[], pack: LanguagePack): string[] {
  return tokens
    .filter((token, index) => {
      const kind = pack.lexicon.entries.get(token)?.kind;
      return (kind === 'soft-preposition' || kind === 'of') && tokens[index + 1] === SENTENCE_END;
    })
    .sort();
}

function writtenForms(tokens: readonly string[], reading: WordReading, canonicals: ReadonlySet<string>): Set<string> {
  const forms = new Set(tokens.map((token) => token.replace(/^['.]+|['.]+$/g, '')));
  for (const { word, raw } of reading.content) {
    forms.add(raw);
    if (canonicals.has(word)) forms.add(word);
  }
  return forms;
}

function analyse(fp: GuardFingerprint, pack: LanguagePack): Analysis {
  const { tokens } = fp;
  const reading = readWordRoles(tokens, pack);
  return {
    language: fp.language,
    pack,
    types: fp.types,
    type: fp.types.length === 0 ? 'NONE' : fp.types.join('+'),
    subject: fp.subject,
    person: fp.person,
    names: fp.names,
    ...reading,
    words: new Set(reading.content.map(({ word }) => word)),
    forms: writtenForms(tokens, reading, pack.lexicon.canonicals),
    firstPerson: tokens.find((token) => FIRST_PERSONS.has(token)) ?? '',
    stranded: strandedPrepositions(tokens, pack),
    symbols: tokens.filter((token) => SYMBOL.test(token)).sort(),
    numbers: reading.content.filter(({ counted }) => counted).map(({ word }) => word),
  };
}

/** The roles of a fingerprint's words, computed once per fingerprint object; `undefined` for a text that is not analysable. */
export function analysisOf(fp: GuardFingerprint): Analysis | undefined {
  const known = analyses.get(fp);
  if (known !== undefined) return known;
  const pack = languagePack(fp.language);
  if (pack === undefined) return undefined;
  const analysis = analyse(fp, pack);
  analyses.set(fp, analysis);
  return analysis;
}
