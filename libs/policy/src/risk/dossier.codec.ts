import { dequantise, quantise } from '../algebra/quantise.js';
import type { TextMarks } from './text-marks.js';
import type { Dossier, StoredState, StoredText } from './turn-state.js';
import type { WordHashes } from './word-hashes.js';

/**
 * Layout, little-endian: version, flags, dimensions, turn, messages, words of message and reply (u16 from dimensions
 * on), lengths of six lists (u16), words in order of message and previous reply (2 × 2 u32), scales of four vectors
 * (f32); then the lists (u32) and the vectors (i8: message, reply and, with a history, previous reply and history).
 */
const VERSION = 1;
const COUNTS = 12;
const PLAIN = 24;
const SCALES = 40;
const LISTS = 56;
const LARGEST_COUNT = 65_535;

const NEGATED = 1;
const REPLY_ASKS = 2;
const HAS_HISTORY = 4;

/** Words kept of a long conversation: the smallest hashes are a fair sample, and the same one on both sides. */
const MOST_SAID = 2048;
const MOST_STATED = 512;
const MOST_SPECIFICS = 256;

const capped = (count: number): number => Math.min(count, LARGEST_COUNT);

/** A dossier as bytes, about 1 kB on a first turn and 2.5 kB later; vectors with 8 bits a number. */
export function encodeDossier({ state, reply }: Dossier): Uint8Array {
  const dimensions = state.message.vector.length;
  const hasHistory = state.historyMessages > 0;
  const lists = [
    state.said.subarray(0, MOST_SAID),
    state.stated.subarray(0, MOST_STATED),
    ...[state.message, reply]
      .flatMap(({ marks }) => [marks.numbers, marks.names])
      .map((l) => l.subarray(0, MOST_SPECIFICS)),
  ];
  const vectors = [state.message.vector, reply.vector, ...(hasHistory ? [state.previous.vector, state.history] : [])];
  const vectorsAt = LISTS + 4 * lists.reduce((sum, list) => sum + list.length, 0);
  const bytes = new Uint8Array(vectorsAt + vectors.length * dimensions);
  const view = new DataView(bytes.buffer);
  const flags =
    (state.message.marks.negated ? NEGATED : 0) | (reply.marks.asks ? REPLY_ASKS : 0) | (hasHistory ? HAS_HISTORY : 0);
  view.setUint8(0, VERSION);
  view.setUint8(1, flags);
  const { turn, historyMessages } = state;
  const counts = [dimensions, turn, historyMessages, state.message.marks.wordCount, reply.marks.wordCount].map(capped);
  [...counts, ...lists.map(({ length }) => length)].forEach((count, i) => view.setUint16(2 + 2 * i, count, true));
  const plain = [...state.message.marks.plain, ...state.previous.marks.plain];
  plain.forEach((half, i) => view.setUint32(PLAIN + 4 * i, half, true));
  let at = LISTS;
  for (const list of lists) {
    for (const hash of list) {
      view.setUint32(at, hash, true);
      at += 4;
    }
  }
  const numbers = new Int8Array(bytes.buffer);
  vectors.forEach((vector, i) => {
    view.setFloat32(SCALES + 4 * i, quantise(vector, numbers.subarray(at, at + dimensions)), true);
    at += dimensions;
  });
  return bytes;
}

/** Numbers in each vector of a dossier; 0 when the bytes are too few. */
export function dossierDimensions(bytes: Uint8Array): number {
  return bytes.byteLength < LISTS ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint16(2, true);
}

/**
 * Undefined when the bytes are of another version, for vectors of another size, or damaged. The lists of words may be
 * windows on the bytes. `words` false: the lists are left out, for a neighbour that is not scored itself.
 */
export function decodeDossier(bytes: Uint8Array, dimensions: number, words = true): Dossier | undefined {
  const { buffer, byteOffset: base, byteLength } = bytes;
  if (byteLength < LISTS || bytes[0] !== VERSION) return undefined;
  const view = new DataView(buffer, base, byteLength);
  const u16 = (at: number): number => view.getUint16(at, true);
  if (u16(2) !== dimensions) return undefined;
  const flags = bytes[1]!;
  const lengths = [0, 1, 2, 3, 4, 5].map((i) => u16(COUNTS + 2 * i));
  const vectorsAt = LISTS + 4 * lengths.reduce((sum, length) => sum + length, 0);
  const hasHistory = (flags & HAS_HISTORY) !== 0;
  if (byteLength !== vectorsAt + (hasHistory ? 4 : 2) * dimensions) return undefined;
  const lists = words ? readLists(view, lengths) : noLists;
  // One piece of memory for all: it costs more to get than to fill.
  const room = new Float32Array((hasHistory ? 4 : 2) * dimensions);
  const vector = (i: number): Float32Array =>
    dequantise(
      new Int8Array(buffer, base + vectorsAt + i * dimensions, dimensions),
      view.getFloat32(SCALES + 4 * i, true),
      room.subarray(i * dimensions, (i + 1) * dimensions),
    );
  const plain = (i: number): readonly [number, number] => [
    view.getUint32(PLAIN + 8 * i, true),
    view.getUint32(PLAIN + 8 * i + 4, true),
  ];
  const [said, stated, numbers, names, replyNumbers, replyNames] = lists;
  const message = { ...noMarks, plain: plain(0), wordCount: u16(8), numbers, names, negated: (flags & NEGATED) !== 0 };
  const zeros = hasHistory ? undefined : zerosOf(dimensions);
  const state: StoredState = {
    message: text(vector(0), message),
    previous: text(zeros ?? vector(2), { ...noMarks, plain: plain(1) }),
    history: zeros ?? vector(3),
    turn: u16(4),
    historyMessages: u16(6),
    said,
    stated,
  };
  const asks = (flags & REPLY_ASKS) !== 0;
  const reply = { ...noMarks, wordCount: u16(10), numbers: replyNumbers, names: replyNames, asks };
  return { state, reply: text(vector(1), reply) };
}

type Marks = Omit<TextMarks, 'words'>;
type Lists = [WordHashes, WordHashes, WordHashes, WordHashes, WordHashes, WordHashes];

const none = new Uint32Array(0);
/** What is not kept of a text is never asked for. */
const noMarks: Marks = { wordCount: 0, plain: [0, 0], numbers: none, names: none, negated: false, asks: false };
const text = (vector: Float32Array, marks: Marks): StoredText => ({ vector, marks });

const noLists: Lists = [none, none, none, none, none, none];
let zeroVector = new Float32Array(0);

/** Shared: nobody writes to the vectors of a dossier. */
function zerosOf(dimensions: number): Float32Array {
  if (zeroVector.length !== dimensions) zeroVector = new Float32Array(dimensions);
  return zeroVector;
}

const littleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

function readLists(view: DataView, lengths: readonly number[]): Lists {
  const { buffer, byteOffset } = view;
  const inPlace = littleEndian && byteOffset % 4 === 0;
  let at = LISTS;
  const lists = lengths.map((length) => {
    const from = at;
    at += 4 * length;
    if (length === 0) return none;
    if (inPlace) return new Uint32Array(buffer, byteOffset + from, length);
    return Uint32Array.from({ length }, (_, i) => view.getUint32(from + 4 * i, true));
  });
  return lists as Lists;
}
