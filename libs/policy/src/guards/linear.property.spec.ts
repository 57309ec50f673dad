import { describe, expect, it } from 'vitest';
import { compareFingerprints, isPersonal, isReferring, isTimeDependent, parseFingerprint } from './index.js';

const SHORT = 1_500;
const TIMES = 16;
/** Sixteen times the length costs sixteen times as much when the work is linear, 256 times when it is quadratic. */
const MOST = 100;
const ROUNDS = 5;
/** Less processor time than this is overhead. */
const LEAST_US = 250;

/** Pieces of text of which a careless pattern makes quadratic work when they are repeated. */
const PIECES = [
  'The crew of the barge counts crates of tea. ',
  ' ',
  '\n',
  ' \t\n',
  'a',
  "'",
  '"',
  '`',
  '```',
  'a@',
  'a@b.',
  'http://',
  ': x ',
  '(',
  '( \n',
  '; ',
  '-a ',
  'cp a ',
  'mv a b; ',
  "say 'x ",
  'hello hello ',
  'spelling of a ',
  'which : or ? ',
  'A ',
  'New York ',
  'fooBar_',
  '5! ',
  '$1,000,',
  '१२३',
  'é',
  'é',
  '😀',
  '如何',
  '\ud800',
  '¿dónde ',
  'please, ',
];

const repeat = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** Least processor time of several rounds, µs: what else runs on the machine takes no part in it. */
function leastCpuUs(work: () => void): number {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

function readAll(text: string): void {
  const fingerprint = parseFingerprint(text);
  compareFingerprints(fingerprint, fingerprint, 1);
  isReferring(text);
  isPersonal(text);
  isTimeDependent(text);
}

describe('the work on a long text grows no faster than its length', () => {
  it.each(PIECES)('of %j', (piece) => {
    const short = repeat(piece, SHORT);
    const long = repeat(piece, TIMES * SHORT);
    readAll(long);
    const ratio =
      leastCpuUs(() => readAll(long)) /
      Math.max(
        LEAST_US,
        leastCpuUs(() => readAll(short)),
      );
    expect(ratio).toBeLessThan(MOST);
  });
});
