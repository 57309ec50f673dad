import { trimCharacters } from '../../text/normalize.js';
import { compileFrames, compilePattern, compileRewrites } from '../frame.compiler.js';
import { readFrames, rewriteSentence } from '../frame.reader.js';
import type { FrameReader } from '../frame.reader.js';
import type { SentenceReading } from '../language.types.js';
import { readWords, readWordSet } from '../word-list.js';
import frameData from './frames.json' with { type: 'json' };
import { infinitiveOf, isSeparablePrefix } from './verb.js';
import words from './words.json' with { type: 'json' };

const EDGE = ' ,;:';
const frames = compileFrames(frameData.frames, frameData.fragments);
const rewrites = compileRewrites(frameData.rewrites, frameData.fragments);
const adjectivesAfterHow = readWordSet(words.adjectivesAfterHow);
/** Two verbs that are written alike: "umfahren", whose prefix parts from it when it means to knock down. */
const twoVerbs = readWordSet(words.twoVerbs);
const questionVerbs = readWordSet(words.questionVerbs);
const personOfSubject = new Map(
  Object.entries(words.subjects).flatMap(([person, forms]) =>
    readWords([forms]).map((form) => [form, person] as const),
  ),
);

const QUESTION_WORDS: ReadonlyMap<string, string> = new Map([
  ['was', 'WHAT'],
  ['wer', 'WHO'],
  ['wen', 'WHOM'],
  ['wem', 'WHOM_dat'],
  ['wessen', 'WHOSE'],
  ['wo', 'WHERE'],
  ['wohin', 'WHERE_to'],
  ['woher', 'WHERE_from'],
  ['wann', 'WHEN'],
  ['warum', 'WHY'],
  ['wieso', 'WHY'],
  ['weshalb', 'WHY'],
  ['weswegen', 'WHY'],
]);
const WHICH = /^welche[rsnm]?$/;
/** The article that has the gender of "welcher". */
const ARTICLE_OF_WHICH: ReadonlyMap<string, string> = new Map([
  ['welcher', 'der'],
  ['welches', 'das'],
  ['welche', 'die'],
  ['welchen', 'den'],
]);
const ABOUT_WHAT = /^(?:wo(?:mit|für|rüber|ran|rauf|rin|raus|von|zu|durch|gegen|bei|nach|vor))$/;
/** Words that can stand between a question word and its verb: the verb is then at the end of the clause. */
const BEFORE_VERB_END = compilePattern(
  '^(?:_|ich|du|er|sie|es|wir|ihr|man|jemand|der|die|das|den|dem|des|ein|eine|einen|einem|einer|eines|mein\\w*|dein\\w*|sein\\w*|unser\\w*|dies\\w+|kein\\w*|alle|viele|so|sich)$',
);
const MARKED_NOUN = /(?:^| )_(?= |$)/g;

/** "schalte … aus" → "… ausschalten": the infinitive goes to the end, its prefix in front of it. */
function verbToEnd(verb: string, rest: readonly string[]): string {
  const last = rest[rest.length - 1] ?? '';
  const infinitive = infinitiveOf(verb);
  if (rest.length > 1 && isSeparablePrefix(last) && twoVerbs.has(last + infinitive))
    return [...rest.slice(0, -1), `${last}_${infinitive}`].join(' ');
  if (rest.length > 1 && isSeparablePrefix(last)) return [...rest.slice(0, -1), last + infinitive].join(' ');
  return [...rest, infinitive].join(' ');
}

/** Clause with its verb at the end: finite main verbs become infinitives, a final modal stays where it is. */
function finiteAtEnd(clause: readonly string[]): string {
  const last = clause[clause.length - 1] ?? '';
  return questionVerbs.has(last) ? clause.join(' ') : [...clause.slice(0, -1), infinitiveOf(last)].join(' ');
}

/** The clause after a question word with the main verb at its end, whatever its order was. */
function normaliseClause(clause: readonly string[]): string {
  const [first = '', ...rest] = clause;
  if (questionVerbs.has(first)) return clause.join(' ');
  if (BEFORE_VERB_END.test(first)) return finiteAtEnd(clause).replace(MARKED_NOUN, ' ').trim();
  return rest.length === 0 ? clause.join(' ') : verbToEnd(first, rest);
}

const MODAL_BEFORE_SUBJECT =
  /^(?:kann|könnte|können|könnten|soll|sollte|muss|müsste|darf|dürfte|würde|würden) (ich|man|wir|du|jemand) /;
const VERB_BEFORE_SUBJECT = compilePattern('^\\w+ (ich|man|wir|du|jemand)(?: |$)');
const SUBJECT_FIRST = /^(ich|man|wir|du|jemand) /;
const MODAL_AT_END = / (?:kann|könnte|können|könnten|soll|sollte|muss|müsste|darf|dürfte|würde)$/;

/** "wie …" with a generic subject: the subject and its modal are cut, the verb goes to the end. */
function readGenericHow(clause: string): SentenceReading | undefined {
  const modal = MODAL_BEFORE_SUBJECT.exec(clause);
  const verb = VERB_BEFORE_SUBJECT.exec(clause);
  const first = SUBJECT_FIRST.exec(clause);
  const subject = modal?.[1] ?? first?.[1] ?? verb?.[1];
  if (subject === undefined) return undefined;
  const reading = { type: 'HOW', subject: 'gen', person: personOfSubject.get(subject) ?? '?' };
  if (modal !== null) return { ...reading, rest: clause.slice(modal[0].length) };
  const parts = clause.split(' ');
  if (first === null) return { ...reading, rest: verbToEnd(parts[0] ?? '', parts.slice(2)) };
  const rest = clause.slice(first[0].length);
  const bare = rest.replace(MODAL_AT_END, '');
  return { ...reading, rest: bare === rest ? finiteAtEnd(rest.split(' ')) : bare };
}

const readHow: FrameReader = (sentence) => {
  const clause = sentence.slice(4);
  const parts = clause.split(' ');
  const [first = ''] = parts;
  if (adjectivesAfterHow.has(first)) return { type: `HOW_${first}`, rest: parts.slice(1).join(' ') };
  const generic = readGenericHow(clause);
  if (generic !== undefined) return generic;
  if (first === 'ist' || first === 'sind' || first === 'war' || first === 'waren')
    return { type: 'HOWX', rest: clause };
  return { type: 'HOW', rest: normaliseClause(parts), subject: 'NP', person: '?' };
};

/** "was essen Frösche" / "was isst Frösche": only agreement tells who eats, so the verb stays as it is. */
const KEEPS_VERB = new Set(['WHAT']);

function readUnframed(sentence: string): SentenceReading {
  const parts = sentence.split(' ');
  const [first = '', ...rest] = parts;
  if (first === 'wie' && rest.length > 0) return readHow(sentence, '');
  const type = WHICH.test(first) ? 'WHAT' : ABOUT_WHAT.test(first) ? `WHERE_${first}` : QUESTION_WORDS.get(first);
  const article = ARTICLE_OF_WHICH.get(first);
  if (article !== undefined) return { type: 'WHAT', rest: [article, ...rest].join(' ') };
  if (type !== undefined) return { type, rest: KEEPS_VERB.has(type) ? rest.join(' ') : normaliseClause(rest) };
  return { type: questionVerbs.has(first) ? 'YN' : 'NONE', rest: sentence };
}

/** An imperative with its object becomes "object infinitive", as after "kannst du mir". */
const readImperative: FrameReader = (sentence, matched) => {
  const verb = matched.trim().split(' ')[0] ?? '';
  return { type: 'REQ', rest: verbToEnd(verb, sentence.slice(matched.length).split(' ')) };
};

/** "hilf mir (dabei), X zu tun", "ich möchte X tun". */
const readWish: FrameReader = (sentence, matched) => ({ type: 'WANT', rest: sentence.slice(matched.length) });

/** "was ist der beste Weg, X zu tun". */
const readWay: FrameReader = (sentence, matched) => ({
  type: 'HOW',
  rest: sentence.slice(matched.length),
  subject: 'gen',
  person: '?',
});

const readers: Readonly<Record<string, FrameReader>> = {
  imperative: readImperative,
  wish: readWish,
  way: readWay,
};

/** Cuts politeness and the question frame off a prepared German sentence and puts its main verb last. */
export function readGermanSentence(sentence: string): SentenceReading {
  const rewritten = rewriteSentence(trimCharacters(sentence, EDGE), rewrites);
  const reading = readFrames(trimCharacters(rewritten, EDGE), frames, readers, readUnframed);
  return { ...reading, rest: reading.rest.replace(MARKED_NOUN, ' ').trim() };
}
