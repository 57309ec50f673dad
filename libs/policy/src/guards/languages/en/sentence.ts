import type { Frame } from '../frame.types.js';
import type { SentenceReading } from '../language.types.js';
import { compileFrames, compilePattern, compileRewrites } from '../frame.compiler.js';
import { readFrames, rewriteSentence } from '../frame.reader.js';
import type { FrameReader } from '../frame.reader.js';
import { readWordSet } from '../word-list.js';
import { trimCharacters } from '../../text/normalize.js';
import frameData from './frames.json' with { type: 'json' };
import words from './words.json' with { type: 'json' };

const EDGE = ' ,;:';
const frames: readonly Frame[] = compileFrames(frameData.frames, frameData.fragments);
const rewrites = compileRewrites(frameData.rewrites);
const adjectivesAfterHow = readWordSet(words.adjectivesAfterHow);
const questionAuxiliaries = readWordSet(words.questionAuxiliaries);

const QUESTION_WORDS: ReadonlyMap<string, string> = new Map([
  ['what', 'WHAT'],
  ['which', 'WHAT'],
  ['who', 'WHO'],
  ['whom', 'WHO'],
  ['whose', 'WHOSE'],
  ['where', 'WHERE'],
  ['when', 'WHEN'],
  ['why', 'WHY'],
  ['how', 'HOWX'],
]);
const GENERIC_SUBJECTS = new Set(['i', 'you', 'we', 'one', 'u', 'to', 'someone', 'somebody', 'anyone', 'a person']);
const PERSON_OF_SUBJECT: ReadonlyMap<string, string> = new Map([
  ['i', 'I'],
  ['we', 'I'],
  ['you', 'Y'],
  ['u', 'Y'],
]);

/** Modals that say more than "can" of a subject of their own ("how should a CEO dress"). */
const FIRM_MODALS = new Set(['should', 'would', 'must']);

/** "In Python, how do I …": the place moves to the end. */
const LEADING_PLACE = compilePattern(
  '^((?:in|on|at|for|with|using) [\\w .+#-]{1,30}?), ?(?=(?:how|what|why|who|where|when|which|is|are|can|do|does|should)\\b)(.*)$',
);
const SUPERLATIVE = /\b(?:best|worst|most|least|[\p{L}\p{N}_]{3,}est)\b/u;
const WORLD = / (?:in (?:the )?(?:whole |entire )?world|of all times?|ever|on earth)$/;
const HOW_SUBJECT = /\b(i|you|we|one|people|a person|someone|somebody|anyone|u|to)\b/;
const HOW_AUXILIARY = /^how (do|does|can|could|should|would|shall|will|did|to|is|are|am|may|might|must)\b/;

function subjectOf(subject: string | undefined, auxiliary: string | undefined): string {
  if (subject !== undefined) return GENERIC_SUBJECTS.has(subject) ? 'gen' : 'ppl';
  return auxiliary === 'to' ? 'gen' : 'NP';
}

function readHow(sentence: string, matched: string): SentenceReading {
  const [adjective = '', ...rest] = sentence.slice(4).split(' ');
  if (adjectivesAfterHow.has(adjective)) return { type: `HOW_${adjective}`, rest: rest.join(' ') };
  const subject = HOW_SUBJECT.exec(matched)?.[1];
  const auxiliary = HOW_AUXILIARY.exec(sentence)?.[1];
  if (subject === undefined && auxiliary === undefined) return { type: 'HOWX', rest: sentence.slice(4) };
  const past = auxiliary === 'did' ? 'did ' : '';
  const modal = subject === undefined && FIRM_MODALS.has(auxiliary ?? '') ? `${auxiliary} ` : '';
  const state = (auxiliary === 'is' || auxiliary === 'are') && subject === undefined ? 'is ' : '';
  return {
    type: 'HOW',
    rest: past + modal + state + sentence.slice(matched.length),
    subject: subjectOf(subject, auxiliary),
    person: PERSON_OF_SUBJECT.get(subject ?? '') ?? '?',
  };
}

/** The question word stays cut, the auxiliary after it stays. */
function readQuestionWord(sentence: string, type: string): SentenceReading {
  const end = sentence.indexOf(' ');
  return { type, rest: end < 0 ? '' : sentence.slice(end) };
}

const readers: Readonly<Record<string, FrameReader>> = {
  how: readHow,
  when: (sentence) => readQuestionWord(sentence, 'WHEN'),
  what: (sentence) => readQuestionWord(sentence, 'WHAT'),
};

function readUnframed(sentence: string): SentenceReading {
  const first = sentence.split(' ')[0] ?? '';
  const type = QUESTION_WORDS.get(first);
  if (type !== undefined) return { type, rest: sentence.slice(first.length) };
  return { type: questionAuxiliaries.has(first) ? 'YN' : 'NONE', rest: sentence };
}

function rewrite(sentence: string): string {
  const place = LEADING_PLACE.exec(sentence);
  const moved = place === null ? sentence : `${place[2] ?? ''} ${place[1] ?? ''}`;
  const current = rewriteSentence(moved, rewrites);
  return SUPERLATIVE.test(current) ? current.replace(WORLD, '') : current;
}

/** Cuts politeness and the question frame off a prepared English sentence. */
export function readEnglishSentence(sentence: string): SentenceReading {
  return readFrames(rewrite(trimCharacters(sentence, EDGE)), frames, readers, readUnframed);
}
