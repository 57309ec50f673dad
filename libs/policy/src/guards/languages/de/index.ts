import type { LanguagePack } from '../language.types.js';
import { buildLexicon } from '../lexicon.js';
import { validateLexicon } from '../lexicon.validate.js';
import { readWordSet } from '../word-list.js';
import aliases from './aliases.json' with { type: 'json' };
import hardWords from './hard-words.json' with { type: 'json' };
import { germanMorphology } from './morphology.js';
import numbers from './numbers.json' with { type: 'json' };
import { prepareGerman } from './prepare.js';
import { readGermanSentence } from './sentence.js';
import softPrepositions from './soft-prepositions.json' with { type: 'json' };
import synonyms from './synonyms.json' with { type: 'json' };
import { isPastForm } from './verb.js';
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
const lexicon = buildLexicon(validateLexicon('de', data));
const morphology = germanMorphology(lexicon.aliases, readWordSet(words.keepsE), readWordSet(words.keepsS));

/** German. */
export const german: LanguagePack = {
  code: 'de',
  lexicon,
  nounsAreCapitalised: true,
  verbFinal: true,
  prepare: prepareGerman,
  readSentence: readGermanSentence,
  lemma: morphology.lemma,
  bases: morphology.bases,
  tenseDiffers: (a, b) => isPastForm(a) !== isPastForm(b),
  aspectDiffers: () => false,
};
