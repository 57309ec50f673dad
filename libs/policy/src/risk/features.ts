import { cosine } from '../algebra/cosine.js';
import { type Agreement, agreementOf } from './agreement.js';
import { AXES, type Axes, project } from './pca.js';
import type { Dossier, EntryState, StoredState, StoredText } from './turn-state.js';
import { equalHashes, jaccard, sharedHashes, type WordHashes } from './word-hashes.js';

/** Version of the list below; stored with every label, so that rows of two lists are never mixed. */
export const FEATURE_VERSION = 1;

const axisNames = (text: string): string[] => Array.from({ length: 8 }, (_, i) => `pca_${text}${i + 1}`);

/** The 60 features of risk-model.md §3, in this order. t: the request, u: the cached entry, r: its reply. */
export const FEATURE_NAMES: readonly string[] = [
  ...['cos_q', 'cos_h', 'cos_p', 'cos_x', 'cos_q_reply', 'cos_p_reply', 'similarity'],
  ...['same_message', 'same_previous', 'first_t', 'first_both'],
  ...[
    'turn_t',
    'turn_u',
    'turn_gap',
    'history',
    'history_gap',
    'words',
    'words_gap',
    'words_reply',
    'rank',
    'candidates',
  ],
  ...['same_numbers', 'same_names', 'same_negation', 'reply_specifics'],
  ...['new_numbers', 'new_names', 'known_specifics', 'stated_overlap', 'said_overlap'],
  ...['asks', 'reply_asks'],
  ...['agree_mean', 'agree_share', 'class_share', 'agree_wide'],
  ...axisNames('message'),
  ...axisNames('previous'),
  ...axisNames('reply'),
];

export const FEATURES = FEATURE_NAMES.length;
/** Candidates that are scored, and candidates that feed the wide agreement. */
export const SCORED = 16;
export const NEIGHBOURS = 48;

const MIX = { message: 0.5, previous: 0.3, history: 0.2 };
const STATE_MIX = { message: 0.7, history: 0.3 };

/** The cosines of two states; on first turns of both, the missing texts count as equal. */
export interface StateCosines {
  readonly message: number;
  readonly previous: number;
  readonly history: number;
  /** .5 message + .3 previous + .2 history. */
  readonly similarity: number;
}

/** The cosines between a request and the state of an entry. */
export function stateCosines(request: StoredState, entry: StoredState): StateCosines {
  const bothFirst = request.turn === 0 && entry.turn === 0;
  const message = cosine(request.message.vector, entry.message.vector);
  const previous = bothFirst ? 1 : cosine(request.previous.vector, entry.previous.vector);
  const history = bothFirst ? 1 : cosine(request.history, entry.history);
  return {
    message,
    previous,
    history,
    similarity: MIX.message * message + MIX.previous * previous + MIX.history * history,
  };
}

/**
 * Feature rows of the candidates of one request, row by row: min(16, entries) × 60.
 *
 * `entries`: nearest first, at most 48 are used. Without `axes` the places of the texts on them are 0.
 */
export function pairFeatures(request: StoredState, entries: readonly EntryState[], axes?: Axes): Float64Array {
  const near = entries.slice(0, NEIGHBOURS);
  const scored = Math.min(SCORED, near.length);
  const cosines = near.map(({ state }) => stateCosines(request, state));
  const agreement = agreementOf(
    near.map(({ reply, replyClass }, i) => ({ similarity: cosines[i]!.similarity, vector: reply.vector, replyClass })),
    SCORED,
  );
  const rows = new Float64Array(scored * FEATURES);
  const own = [...placeOf(request.message, axes), ...placeOf(request.previous, axes)];
  for (let i = 0; i < scored; i++) {
    const entry = near[i]!;
    const values = rowOf(request, entry, cosines[i]!, agreement[i]!, i / SCORED, scored / SCORED);
    rows.set([...values, ...own, ...placeOf(entry.reply, axes)], i * FEATURES);
  }
  return rows;
}

/** ψ (algorithms.md §2.6): the features of a pair alone, without its rank, the other candidates and the axes. */
export const PAIR_NAMES: readonly string[] = [
  ...FEATURE_NAMES.slice(0, FEATURE_NAMES.indexOf('rank')),
  ...['same_numbers', 'same_names', 'same_negation'],
];
const PAIR_COLUMNS = PAIR_NAMES.map((name) => FEATURE_NAMES.indexOf(name));

/** ψ of a request at one state and an entry. */
export function pairRow(request: StoredState, { state, reply }: Dossier): Float64Array {
  const entry = { state, reply, replyClass: 0 };
  const print = [
    flag(equalHashes(request.message.marks.numbers, state.message.marks.numbers)),
    flag(equalHashes(request.message.marks.names, state.message.marks.names)),
    flag(request.message.marks.negated === state.message.marks.negated),
  ];
  return Float64Array.of(
    ...cosineGroup(request, entry, stateCosines(request, state)),
    ...exactGroup(request, state),
    ...positionGroup(request, entry),
    ...print,
  );
}

/** ψ out of the 60 features of a label. */
export const pairRowOf = (features: Float64Array): Float64Array =>
  Float64Array.from(PAIR_COLUMNS, (column) => features[column]!);

const nowhere = new Float64Array(AXES);
const placeOf = ({ vector }: StoredText, axes: Axes | undefined): Float64Array =>
  axes === undefined ? nowhere : project(vector, axes);

/** All but the axes' part. */
function rowOf(
  request: StoredState,
  entry: EntryState,
  cosines: StateCosines,
  agreement: Agreement,
  rank: number,
  candidates: number,
): number[] {
  return [
    ...cosineGroup(request, entry, cosines),
    ...exactGroup(request, entry.state),
    ...positionGroup(request, entry),
    rank,
    candidates,
    ...printGroup(request, entry),
    flag(request.message.marks.asks),
    flag(entry.reply.marks.asks),
    agreement.mean,
    agreement.share,
    agreement.classShare,
    agreement.wide,
  ];
}

const flag = (value: boolean): number => (value ? 1 : 0);

function cosineGroup(request: StoredState, { reply }: EntryState, cosines: StateCosines): number[] {
  const { message, history, previous, similarity } = cosines;
  const mixed = STATE_MIX.message * message + STATE_MIX.history * history;
  const toReply = (text: StoredText): number => cosine(text.vector, reply.vector);
  return [message, history, previous, mixed, toReply(request.message), toReply(request.previous), similarity];
}

const samePlain = ({ marks: a }: StoredText, { marks: b }: StoredText): boolean =>
  a.plain[0] === b.plain[0] && a.plain[1] === b.plain[1];

function exactGroup(request: StoredState, entry: StoredState): number[] {
  return [
    flag(samePlain(request.message, entry.message)),
    flag(samePlain(request.previous, entry.previous)),
    flag(request.turn === 0),
    flag(request.turn === 0 && entry.turn === 0),
  ];
}

const LAST_TURN = 12;
const turnOf = (turn: number): number => Math.min(turn, LAST_TURN) / LAST_TURN;
const lengthOf = (count: number): number => Math.log1p(count) / 4;

function positionGroup(request: StoredState, { state, reply }: EntryState): number[] {
  const turn = turnOf(request.turn);
  const history = lengthOf(request.historyMessages);
  const words = lengthOf(request.message.marks.wordCount);
  return [
    turn,
    turnOf(state.turn),
    Math.abs(turn - turnOf(state.turn)),
    history,
    Math.abs(history - lengthOf(state.historyMessages)),
    words,
    Math.abs(words - lengthOf(state.message.marks.wordCount)),
    lengthOf(reply.marks.wordCount),
  ];
}

function printGroup(request: StoredState, { state, reply }: EntryState): number[] {
  const own = request.message.marks;
  const other = state.message.marks;
  const { numbers, names } = reply.marks;
  const specifics = numbers.length + names.length;
  const newNumbers = missing(numbers, request.said);
  const newNames = missing(names, request.said);
  return [
    flag(equalHashes(own.numbers, other.numbers)),
    flag(equalHashes(own.names, other.names)),
    flag(own.negated === other.negated),
    Math.min(specifics, 6) / 6,
    Math.min(newNumbers, 3) / 3,
    Math.min(newNames, 4) / 4,
    Math.min(specifics - newNumbers - newNames, 4) / 4,
    jaccard(request.stated, state.stated),
    jaccard(request.said, state.said),
  ];
}

const missing = (values: WordHashes, from: WordHashes): number => values.length - sharedHashes(values, from);
