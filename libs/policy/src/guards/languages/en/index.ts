import type { LanguagePack } from '../language.types.js';
import { buildLexicon } from '../lexicon.js';
import { validateLexicon } from '../lexicon.validate.js';
import { readWordSet } from '../word-list.js';
import aliases from './aliases.json' with { type: 'json' };
import hardWords from './hard-words.json' with { type: 'json' };
import { englishMorphology } from './morphology.js';
import numbers from './numbers.json' with { type: 'json' };
import { prepareEnglish } from './prepare.js';
import { readEnglishSentence } from './sentence.js';
import softPrepositions from './soft-prepositions.json' with { type: 'json' };
import synonyms from './synonyms.json' with { type: 'json' };
import words from './words.json' with { type: 'json' };

const data = {
  words,
  numbers,
  softPrepositions,
  aliases: aliases.aliases,
  synonyms: synonyms.groups,
  requestSynonyms: synonyms.inRequests,
  hard: hardWords.words,
};
const lexicon = buildLexicon(validateLexicon('en', data));
const morphology = englishMorphology(lexicon.aliases, readWordSet(words.irregularS), readWordSet(words.pluralIes));

/** "-ed", but not in "bed" or "need". */
const PAST = /\p{L}{2}[^e\P{L}]ed$/u;

const PROGRESSIVE = /\p{L}{3}ing$/u;

/** English. */
export const english: LanguagePack = {
  code: 'en',
  lexicon,
  nounsAreCapitalised: false,
  verbFinal: false,
  prepare: prepareEnglish,
  readSentence: readEnglishSentence,
  lemma: morphology.lemma,
  bases: morphology.bases,
  tenseDiffers: (a, b) => PAST.test(a) !== PAST.test(b),
  aspectDiffers: (a, b) => (PAST.test(a) && PROGRESSIVE.test(b)) || (PROGRESSIVE.test(a) && PAST.test(b)),
};
