import type { LanguagePack, WordEntry } from '../languages/language.types.js';
import { SENTENCE_END } from './read-numbers.js';
import type { ContentWord, PlacedPronoun } from './analysis.types.js';

const CONTRACTION_RESTS = new Set(['s', 'd', 'm', 't']);

/** What {@link readWords} collects, in reading order. */
export interface WordReading {
  readonly content: ContentWord[];
  readonly negations: string[];
  readonly prepositions: string[];
  readonly pronouns: string[];
  readonly persons: string[];
  readonly possessives: string[];
  readonly places: PlacedPronoun[];
  readonly tenses: string[];
  readonly modals: string[];
  readonly auxiliaries: string[];
}

/** Where in the sentence the reader stands. */
interface Cursor {
  marker: string;
  segment: number;
  negation: string;
  articleForm: string;
  article: string;
  determiner: string;
}

type Handler = (reading: WordReading, cursor: Cursor, entry: WordEntry, word: string, context: Context) => void;

interface Context {
  readonly pack: LanguagePack;
  readonly converts: boolean;
  readonly before: string;
  readonly after: string;
}

/** Canonical form of a content word. */
function canonical(pack: LanguagePack, word: string): string {
  if (word.startsWith('#')) return word;
  const month = pack.lexicon.numbers.months.get(word);
  if (month !== undefined) return month;
  const lemma = pack.lemma(word);
  return pack.lexicon.best.has(lemma) ? 'good' : lemma;
}

/** Numbers, calendar words, quantities, and units right after a number. */
function isCounted(word: string, before: ContentWord | undefined, { lexicon }: LanguagePack): boolean {
  if (word.startsWith('#') || lexicon.counted.has(word)) return true;
  return before?.word.startsWith('#') === true && lexicon.units.has(word);
}

/** Bases of the written form, unless a list gave the word another name. */
function basesOf(pack: LanguagePack, raw: string, word: string): readonly string[] {
  return word === pack.lemma(raw) ? pack.bases(raw) : [word];
}

function addContent(reading: WordReading, cursor: Cursor, token: string, pack: LanguagePack): void {
  const possessive = token.endsWith("'s");
  const raw = possessive ? token.slice(0, -2) : token.replace(/'z$/, '');
  const word = canonical(pack, raw);
  if (word === '' || CONTRACTION_RESTS.has(word)) return;
  const marker = possessive ? 'of' : cursor.marker;
  const last = reading.content[reading.content.length - 1];
  reading.content.push({
    word,
    raw,
    bases: basesOf(pack, raw, word),
    marker,
    first: last === undefined || last.marker !== marker,
    negation: cursor.negation,
    segment: cursor.segment,
    possessive,
    pluralOwner: token.endsWith("'z"),
    counted: isCounted(word, last, pack),
    articleForm: cursor.articleForm,
    article: cursor.article,
    determiner: cursor.determiner,
  });
  cursor.negation = '';
  cursor.articleForm = '';
  cursor.determiner = '';
}

function addPronoun(reading: WordReading, cursor: Cursor, entry: WordEntry, word: string): void {
  reading.places.push({ form: word, after: reading.content.length });
  reading.pronouns.push(entry.value);
  cursor.determiner = entry.value;
}

const STATE_VERBS = new Set<WordEntry['kind']>(['present', 'past', 'future', 'modal']);

const ignore: Handler = () => undefined;

const HANDLERS: Readonly<Record<WordEntry['kind'], Handler>> = {
  filler: ignore,
  present: ignore,
  negation: (reading, cursor, entry, word) => {
    reading.negations.push(entry.value);
    cursor.negation = word;
  },
  article: (_, cursor, entry, word) => {
    cursor.articleForm = entry.value === '_' ? '' : entry.value;
    cursor.determiner = word;
  },
  of: (_, cursor) => {
    cursor.marker = 'of';
  },
  into: (reading, cursor, _, word, { converts }) => {
    if (converts) cursor.marker = 'to';
    else {
      reading.prepositions.push(word);
      cursor.marker = word;
    }
  },
  'hard-preposition': (reading, cursor, _, word) => {
    reading.prepositions.push(word);
    cursor.marker = word;
  },
  'soft-preposition': (_reading, cursor, _entry, word) => {
    cursor.marker = word;
  },
  person: (reading, cursor, entry, word, { pack }) => {
    reading.places.push({ form: entry.place ?? word, after: reading.content.length });
    reading.persons.push(entry.value);
    cursor.determiner = entry.value;
    if (pack.lexicon.reflexivePersons.has(word)) reading.pronouns.push('self');
  },
  reflexive: (reading) => {
    reading.pronouns.push('self');
  },
  indefinite: (reading, _, entry) => {
    reading.pronouns.push(entry.value);
  },
  possessive: (reading, cursor, entry) => {
    reading.possessives.push(entry.value);
    cursor.determiner = entry.value;
  },
  'demonstrative-that': (reading, cursor, entry, word, { pack, before, after }) => {
    const { beforeThat, afterThat } = pack.lexicon;
    if (after === SENTENCE_END || afterThat.has(after) || beforeThat.has(before))
      addPronoun(reading, cursor, entry, word);
  },
  existential: (reading, cursor, entry, word, { pack, before, after }) => {
    const stateVerb = (neighbour: string): boolean =>
      STATE_VERBS.has(pack.lexicon.entries.get(neighbour)?.kind ?? 'filler');
    if (!stateVerb(before) && !stateVerb(after)) addPronoun(reading, cursor, entry, word);
  },
  pronoun: (reading, cursor, entry, word) => addPronoun(reading, cursor, entry, word),
  past: (reading, _, entry) => {
    reading.tenses.push(entry.value);
  },
  future: (reading, _, entry) => {
    reading.tenses.push(entry.value);
  },
  modal: (reading, _, entry) => {
    reading.modals.push(entry.value);
  },
};

/** What may stand between an article and its noun. */
const PHRASE_KEEPS = new Set<WordEntry['kind']>(['filler', 'negation']);

const OPENS_SEGMENT = new Set<WordEntry['kind']>(['of', 'into', 'hard-preposition', 'soft-preposition']);

/** Whether a word starts a new segment: prepositions, conjunctions, and negations that are prepositions ("without"). */
function opensSegment(pack: LanguagePack, entry: WordEntry, word: string): boolean {
  if (OPENS_SEGMENT.has(entry.kind)) return true;
  const { hardPrepositions, conjunctions } = pack.lexicon;
  return entry.kind === 'negation' && (hardPrepositions.has(word) || conjunctions.has(word));
}

/** Nothing but function words beside "spell", "mean", "French": "how do you spell its", "what does could mean" are about these words. */
function isFunctionOrSpeech({ lexicon }: LanguagePack, token: string): boolean {
  return (
    token === SENTENCE_END ||
    lexicon.entries.has(token) ||
    lexicon.metalinguistic.has(token) ||
    lexicon.languageNames.has(token)
  );
}

/** Sorts the words of a reduced text by what they do. */
export function readWordRoles(tokens: readonly string[], pack: LanguagePack): WordReading {
  const reading: WordReading = {
    content: [],
    negations: [],
    prepositions: [],
    pronouns: [],
    persons: [],
    possessives: [],
    places: [],
    tenses: [],
    modals: [],
    auxiliaries: [],
  };
  const cursor: Cursor = { marker: '', segment: 0, negation: '', articleForm: '', article: '', determiner: '' };
  const converts = tokens.some((token) => pack.lexicon.conversionVerbs.has(token));
  const mentions = tokens.some((token) => pack.lexicon.metalinguistic.has(token));
  const mentionsFunction = mentions && tokens.every((token) => isFunctionOrSpeech(pack, token));
  tokens.forEach((token, index) => {
    if (token === SENTENCE_END) {
      cursor.marker = '';
      cursor.article = '';
      cursor.determiner = '';
      cursor.segment++;
      return;
    }
    const entry = pack.lexicon.entries.get(token);
    if (entry === undefined || mentionsFunction || (mentions && entry.kind === 'filler'))
      return addContent(reading, cursor, token, pack);
    if (opensSegment(pack, entry, token)) cursor.segment++;
    if (!PHRASE_KEEPS.has(entry.kind)) {
      cursor.article = '';
      cursor.determiner = '';
    }
    const auxiliary = pack.lexicon.auxiliaryClasses.get(token);
    if (auxiliary !== undefined) reading.auxiliaries.push(auxiliary);
    if (entry.kind === 'article' || pack.lexicon.articleGenders.has(token)) cursor.article = token;
    const context = { pack, converts, before: tokens[index - 1] ?? '', after: tokens[index + 1] ?? SENTENCE_END };
    HANDLERS[entry.kind](reading, cursor, entry, token, context);
  });
  return reading;
}
