// The guard rule: parsing texts of 15 words, comparing stored fingerprints, one text of 12,000 characters, and the size of fingerprints.
// `node bench/micro/guards.mjs` runs it alone and writes bench/results/guards-micro.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import {
  compareFingerprints,
  decodeFingerprint,
  encodeFingerprint,
  isPersonal,
  isReferring,
  isTimeDependent,
  parseFingerprint,
} from '@reprise/policy';
import { Bench } from 'tinybench';

const results = new URL('../results/guards-micro.json', import.meta.url);
const fixtures = new URL('../../test/fixtures/guards/', import.meta.url);

/** @returns {{ a: string, b: string }[]} */
function pairs() {
  const lines = ['own', 'en', 'de'].flatMap((name) =>
    readFileSync(new URL(`pairs.${name}.jsonl`, fixtures), 'utf8').split('\n'),
  );
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

/** Bytes of the fingerprints of all our texts, ascending. */
function fingerprintBytes() {
  const texts = pairs().flatMap(({ a, b }) => [a, b]);
  return texts.map((text) => Buffer.byteLength(encodeFingerprint(parseFingerprint(text)))).sort((x, y) => x - y);
}

/** Questions of exactly `count` words, made of two of ours. */
function textsOf(count) {
  const texts = pairs().flatMap(({ a, b }) => [a, b]);
  return texts.map((text, at) =>
    `${text} ${texts[(at + 7) % texts.length]} please tell me more about it now`.split(' ').slice(0, count).join(' '),
  );
}

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

const SHORT = 1_500;
const TIMES = 16;
const ROUNDS = 5;
/** Less processor time than this is overhead. */
const LEAST_US = 250;

function leastCpuUs(work) {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return Math.max(LEAST_US, least);
}

/** Processor time of a text 16 times as long, over that of the short one, at the worst piece: about 16 when the work is linear, 256 when it is quadratic. */
function worstGrowth() {
  const readAll = (text) => {
    const fingerprint = parseFingerprint(text);
    compareFingerprints(fingerprint, fingerprint, 1);
    for (const read of [isReferring, isPersonal, isTimeDependent]) read(text);
  };
  const of = (piece, length) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
  const ratios = PIECES.map((piece) => {
    const [short, long] = [of(piece, SHORT), of(piece, TIMES * SHORT)];
    readAll(long);
    return { piece, ratio: leastCpuUs(() => readAll(long)) / leastCpuUs(() => readAll(short)) };
  });
  return ratios.reduce((worst, one) => (one.ratio > worst.ratio ? one : worst));
}

const cycle = (list) => {
  let at = 0;
  return () => list[(at += 1) % list.length];
};

export async function run({ smoke }) {
  const bench = new Bench({ time: smoke ? 20 : 1000, warmupTime: smoke ? 5 : 300 });
  const nextText = cycle(textsOf(15));
  const rows = pairs().map(({ a, b }) => {
    const stored = [a, b].map((text) => encodeFingerprint(parseFingerprint(text)));
    return { parsed: stored.map((each) => decodeFingerprint(each)), stored };
  });
  const nextRow = cycle(rows);
  const long = 'The crew of the barge waits in the lock, counts 14 crates of tea and plays cards until noon. '
    .repeat(140)
    .slice(0, 12_000);
  bench
    .add('parse, 15 words', () => void parseFingerprint(nextText()))
    .add('compare, both at hand', () => {
      const [a, b] = nextRow().parsed;
      compareFingerprints(a, b, 0.95);
    })
    .add('read one stored and compare', () => {
      const { parsed, stored } = nextRow();
      compareFingerprints(parsed[0], decodeFingerprint(stored[1]), 0.95);
    })
    .add('parse, 12,000 characters', () => void parseFingerprint(long));
  await bench.run();
  const us = (ms) => Number((ms * 1000).toFixed(1));
  const rowsOf = bench.tasks.map(({ name, result }) => ({
    name,
    medianUs: us(result.latency.p50),
    meanUs: us(result.latency.mean),
    p99Us: us(result.latency.p99),
  }));
  const bytes = fingerprintBytes();
  const size = { texts: bytes.length, median: bytes[bytes.length >> 1], p95: bytes[Math.floor(bytes.length * 0.95)] };
  for (const { name, medianUs, meanUs, p99Us } of rowsOf)
    console.log(`guards: ${name}: median ${medianUs} µs, mean ${meanUs} µs, p99 ${p99Us} µs`);
  console.log(`guards: fingerprint: median ${size.median} bytes, p95 ${size.p95} bytes of ${size.texts} texts`);
  const { piece, ratio } = worstGrowth();
  console.log(
    `guards: a text ${TIMES} times as long takes at most ${ratio.toFixed(1)} times as long (${JSON.stringify(piece)})`,
  );
  return { rows: rowsOf, fingerprintBytes: size, growth: { times: TIMES, worst: Number(ratio.toFixed(1)), piece } };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const figures = await run({ smoke: process.argv.includes('--smoke') });
  const machine = { node: process.version, cpus: cpus().length, cpu: cpus()[0]?.model ?? '' };
  if (!process.argv.includes('--smoke'))
    writeFileSync(results, `${JSON.stringify({ machine, ...figures }, undefined, 2)}\n`);
}
