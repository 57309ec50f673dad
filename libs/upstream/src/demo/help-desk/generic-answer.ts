import { foldText } from './entities.js';
import { SHELL } from './frames.js';
import { hash32, pickBy } from './seeded-random.js';

const REFERRING =
  /\b(it|its|that|this|these|those|they|them|their|he|him|his|she|her|one|ones|same|again|above|previous|earlier|before|else|more|continue|yes|no|ok|okay|sure)\b/;
const SHORT_WORDS = 3;

const OPENINGS = [
  'Here is what matters about',
  'In short, on',
  'Let me sum up',
  'A few words on',
  'The main points about',
];
const BODIES = [
  'It depends on the circumstances, but most people do well to start with the simplest form and to add detail only where it helps.',
  'There are three sides to it: what it is for, what it costs, and how long it lasts. The first one usually decides the other two.',
  'A good way to look at it is to begin with one small example, check the outcome, and then repeat the step with the next one.',
  'Opinions differ, yet the usual advice is to write down the goal first and to compare two or three options against it.',
  'The short answer is that both sides have good reasons; the longer one needs the details of your own case.',
];
const ENDINGS = [
  'Tell me more about your case and I can be more precise.',
  'If you need an example, just ask.',
  'That should do for a start.',
  'Numbers for your own situation may differ.',
];

const digest = (text: string): string =>
  (hash32(text).toString(36) + hash32(`${text}#2`).toString(36)).padStart(12, '0');

function subject(folded: string): string {
  const words = folded.match(/[\p{L}\p{N}][\p{L}\p{N}.'-]*/gu) ?? [];
  const content = words.filter((word) => !SHELL.has(word));
  const chosen = (content.length > 0 ? content : words).slice(0, 8).join(' ');
  return chosen === '' ? 'your message' : `“${chosen.slice(0, 80)}”`;
}

/** Whether a text means something else after another history: pronouns, or hardly any words. */
function refersBack(folded: string): boolean {
  return REFERRING.test(folded) || folded.split(' ').length <= SHORT_WORDS;
}

/**
 * A plausible answer to anything outside the help desk. Its identity is the folded text, and for a text
 * that points back also what was answered before: two texts count as the same only if they are the same.
 */
export function genericAnswer(text: string, previousKey: string | undefined): { text: string; answerKey: string } {
  const folded = foldText(text);
  const history = refersBack(folded) && previousKey !== undefined ? `|after=${digest(previousKey)}` : '';
  const key = `generic|${digest(folded)}${history}`;
  const body = `${pickBy(OPENINGS, `o${key}`)} ${subject(folded)}. ${pickBy(BODIES, `b${key}`)} ${pickBy(ENDINGS, `e${key}`)}`;
  return { text: body, answerKey: key };
}
