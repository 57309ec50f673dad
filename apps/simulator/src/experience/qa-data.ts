import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createRng, seedOf } from '@reprise/kernel';
import { dataSetDir } from '../data-dir.js';

/** Sets with questions about long conversations. */
export type QaSetName = 'locomo10' | 'dialsim';

export interface Question {
  readonly text: string;
  readonly answer: string;
  /** Turns that hold the answer; none where nobody says. */
  readonly evidence: readonly string[];
  /** What is kept of it once it was answered. */
  readonly experience: string;
}

/** One conversation, its questions in the order of one seed. */
export interface QaSession {
  readonly corpus: readonly { readonly id: string; readonly text: string }[];
  /** Asked first, not scored. */
  readonly warmUp: readonly Question[];
  readonly test: readonly Question[];
}

interface Locomo {
  readonly id: string;
  readonly sessions: readonly {
    readonly turns: readonly { readonly id: string; readonly speaker: string; readonly text: string }[];
  }[];
  readonly qa: readonly {
    readonly question: string;
    readonly answer?: unknown;
    readonly evidence: readonly string[];
  }[];
}

interface Script {
  readonly id: string;
  readonly turns: readonly (readonly [speaker: string, text: string])[];
}

const warmUpShare = 0.8;
/** The questions of the sample are about the beginning of the show. */
const dialsimSessions = 60;

const linesOf = (path: string): unknown[] =>
  gunzipSync(readFileSync(path))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);

const loaded = new Map<string, readonly { corpus: QaSession['corpus']; questions: readonly Question[] }[]>();

function raw(root: string, set: QaSetName) {
  const key = `${root} ${set}`;
  const known = loaded.get(key) ?? (set === 'locomo10' ? locomo(root) : dialsim(root));
  loaded.set(key, known);
  return known;
}

const questionOf = (text: string, given: unknown, evidence: readonly string[]): Question => {
  const answer = given === undefined ? 'not mentioned' : String(given as string);
  return { text, answer, evidence, experience: `Q: ${text}\nCorrect: ${answer}` };
};

function locomo(root: string) {
  const file = join(dataSetDir(root, 'locomo10'), 'conversations.jsonl.gz');
  return (linesOf(file) as Locomo[]).map(({ sessions, qa }) => ({
    corpus: sessions.flatMap(({ turns }) =>
      turns.map(({ id, speaker, text }) => ({ id, text: `${speaker}: ${text}` })),
    ),
    questions: qa
      .filter(({ evidence }) => evidence.length > 0)
      .map(({ question, answer, evidence }) => questionOf(question, answer, evidence)),
  }));
}

function dialsim(root: string) {
  const dir = dataSetDir(root, 'dialsim');
  const scripts = (linesOf(join(dir, 'friends.jsonl.gz')) as Script[]).slice(0, dialsimSessions);
  const asked = linesOf(join(dir, 'friends-qa-sample.jsonl.gz')) as { question: string; answer: string }[];
  return [
    {
      corpus: scripts.flatMap(({ id, turns }) =>
        turns.map(([speaker, text], n) => ({ id: `${id}:${n}`, text: `${speaker}: ${text}` })),
      ),
      questions: asked.map(({ question, answer }) => questionOf(question, answer, [])),
    },
  ];
}

/** Conversations with their questions split and ordered by `seed`; the first `most` of them (for tests). */
export function qaSessions(root: string, set: QaSetName, seed: number, most = Infinity): QaSession[] {
  return raw(root, set)
    .slice(0, most)
    .map(({ corpus, questions }, number) => {
      const rng = createRng(seedOf(['qa', set, String(number), String(seed)]));
      const order = [...questions];
      for (let at = order.length - 1; at > 0; at--) {
        const other = Math.floor(rng.next() * (at + 1));
        [order[at], order[other]] = [order[other] as Question, order[at] as Question];
      }
      const cut = Math.floor(warmUpShare * order.length);
      return { corpus, warmUp: order.slice(0, cut), test: order.slice(cut) };
    });
}

/** Every text that must have a vector. */
export function qaTexts(root: string, set: QaSetName, most = Infinity): Set<string> {
  return new Set(
    raw(root, set)
      .slice(0, most)
      .flatMap(({ corpus, questions }) => [
        ...corpus.map(({ text }) => text),
        ...questions.flatMap(({ text, experience }) => [text, experience]),
      ]),
  );
}
