import {
  type Axes,
  ConversationFollower,
  FEATURES,
  fitAxes,
  pairFeatures,
  project,
  textMarks,
  type TextFacts,
  type TurnState,
} from '@reprise/policy';
import type { TextVectors } from '../embeddings/kept-vectors.js';
import { judgeOf, type MtData } from './mt-data.js';

/** A set with everything that methods look at; exchanges are known by their place in the order. */
export interface MtRun {
  readonly data: MtData;
  readonly size: number;
  /** Scaled cost of a fresh answer, .01 … 1, and the part that is known before the call. */
  readonly costs: Float64Array;
  readonly inputCosts: Float64Array;
  /** Whether the logged answer of one exchange does for another one. */
  readonly right: (cached: number, query: number) => boolean;
  readonly states: readonly TurnState[];
  /** Numbers and names of the message: the stratum. */
  readonly keys: readonly string[];
  /** [√.7 message; √.3 history]; on first turns the message alone, so that all have unit length. */
  readonly points: readonly Float32Array[];
  readonly vectors: Readonly<Record<VectorKind, (at: number) => Float32Array | undefined>>;
  /** Feature row of a pair: 60 numbers without those that depend on other candidates. */
  readonly pairRow: (query: number, cached: number) => Float64Array;
  /** What the cost of an answer is learned from. */
  readonly costRow: (at: number) => Float64Array;
}

/** Vectors that caches compare. `users`: mean of the newest five messages of the user; `parent`: the message before. */
export type VectorKind = 'message' | 'joint' | 'recent' | 'users' | 'parent';

export const pairSize = FEATURES;
const [stateShare, historyShare] = [Math.sqrt(0.7), Math.sqrt(0.3)];
const userMessages = 5;
const axesFrom = 4000;

export function prepareMtRun(data: MtData, vectors: TextVectors): MtRun {
  const { exchanges, starts } = data;
  const known = new Map<string, TextFacts>();
  const factsOf = (text: string): TextFacts => {
    const facts = known.get(text) ?? { vector: vectors.of(text), marks: textMarks(text) };
    known.set(text, facts);
    return facts;
  };
  const states: TurnState[] = [];
  starts.slice(0, -1).forEach((first, conversation) => {
    const follower = new ConversationFollower({ vector: new Float32Array(vectors.dimensions), marks: textMarks('') });
    for (const { user, assistant } of exchanges.slice(first, starts[conversation + 1])) {
      states.push(follower.ask(factsOf(user)));
      follower.answer(factsOf(assistant));
    }
  });
  const replies = exchanges.map(({ assistant }) => factsOf(assistant));
  const points = states.map(pointOf);
  const axes = fitAxes(
    exchanges.slice(0, axesFrom).flatMap(({ user, assistant }) => [vectors.of(user), vectors.of(assistant)]),
  );
  const users = exchanges.map((_, at) => meanOf(exchanges, at, vectors));
  const right = judgeOf(data, (cached, query) => dot(replies[cached]?.vector, replies[query]?.vector));
  return {
    ...{ data, size: exchanges.length, states, points, right: remembered(right, exchanges.length) },
    ...costsOf(data),
    keys: states.map(({ message: { marks } }) => `${marks.numbers.join()} ${marks.names.join()}`),
    vectors: {
      message: (at) => states[at]?.message.vector,
      joint: (at) => points[at],
      recent: (at) => vectors.of(exchanges[at]?.recent ?? ''),
      users: (at) => users[at],
      parent: (at) =>
        exchanges[at - 1]?.conversation === exchanges[at]?.conversation ? states[at - 1]?.message.vector : undefined,
    },
    pairRow: (query, cached) => {
      const [state, other, reply] = [states[query], states[cached], replies[cached]];
      if (state === undefined || other === undefined || reply === undefined) throw new RangeError('no such exchange');
      return pairFeatures(state, [{ state: other, reply, replyClass: 0 }], axes);
    },
    costRow: (at) => costRowOf(states[at] as TurnState, axes),
  };
}

/** Verdicts are asked for again and again. */
function remembered(right: MtRun['right'], size: number): MtRun['right'] {
  const known = new Map<number, boolean>();
  return (cached, query) => {
    const key = cached * size + query;
    const verdict = known.get(key) ?? right(cached, query);
    known.set(key, verdict);
    return verdict;
  };
}

function pointOf({ message, history, turn }: TurnState): Float32Array {
  const { vector } = message;
  const point = new Float32Array(2 * vector.length);
  const share = turn === 0 ? 1 : stateShare;
  vector.forEach((value, i) => (point[i] = share * value));
  history.forEach((value, i) => (point[vector.length + i] = historyShare * value));
  return point;
}

function meanOf(exchanges: MtData['exchanges'], at: number, vectors: TextVectors): Float32Array {
  const sum = new Float32Array(vectors.dimensions);
  const { conversation } = exchanges[at] as { conversation: number };
  for (let i = at; i > at - userMessages && exchanges[i]?.conversation === conversation; i--)
    vectors.of(exchanges[i]?.user ?? '').forEach((value, d) => (sum[d] = (sum[d] as number) + value));
  const norm = Math.hypot(...sum) || 1;
  return sum.map((value) => value / norm);
}

/** Total tokens scaled by their 1st and 99th percentile. */
function costsOf({ exchanges }: MtData): Pick<MtRun, 'costs' | 'inputCosts'> {
  const totals = exchanges.map(({ inTokens, outTokens }) => inTokens + outTokens);
  const sorted = [...totals].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 1;
  const [low, high] = [at(0.01), at(0.99)];
  const scaled = (tokens: number, least: number): number => Math.min(1, Math.max(least, (tokens - low) / (high - low)));
  return {
    costs: Float64Array.from(totals, (total) => scaled(total, 0.01)),
    inputCosts: Float64Array.from(exchanges, ({ inTokens }) => scaled(inTokens, 0)),
  };
}

function costRowOf({ message, previous, turn, historyMessages }: TurnState, axes: Axes): Float64Array {
  const lengths = [turn, historyMessages, Math.log1p(message.marks.wordCount), message.marks.asks ? 1 : 0];
  return Float64Array.from([...lengths, ...project(message.vector, axes), ...project(previous.vector, axes)]);
}

export function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 1 : -1;
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  for (let i = 0; i < a.length; i += 4) {
    s0 += (a[i] as number) * (b[i] as number);
    s1 += (a[i + 1] as number) * (b[i + 1] as number);
    s2 += (a[i + 2] as number) * (b[i + 2] as number);
    s3 += (a[i + 3] as number) * (b[i + 3] as number);
  }
  return s0 + s1 + s2 + s3;
}

/** Similarities of all pairs, the later exchange first: a triangle of n(n − 1)/2 numbers. */
export class Similarities {
  private readonly values: Float32Array;

  constructor(size: number, vectorOf: (at: number) => Float32Array | undefined) {
    this.values = new Float32Array((size * (size - 1)) / 2);
    const vectors = Array.from({ length: size }, (_, at) => vectorOf(at));
    let place = 0;
    for (let later = 1; later < size; later++)
      for (let earlier = 0; earlier < later; earlier++) this.values[place++] = dot(vectors[later], vectors[earlier]);
  }

  of(a: number, b: number): number {
    const [later, earlier] = a > b ? [a, b] : [b, a];
    return this.values[(later * (later - 1)) / 2 + earlier] ?? 1;
  }
}
