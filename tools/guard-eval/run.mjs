// `node tools/guard-eval/run.mjs [--dtype fp32] [--ablation] [--exchange] [--write]`: what the guard rule serves on labelled pairs.
// `--write` does all of it and writes the counts to bench/results/guards.json.
// Needs a build (`npm run build`), and for the shared pairs the model (`npm start` or `npm test` fetches it).
import { writeFileSync } from 'node:fs';
import { encodeFingerprint, parseFingerprint } from '@reprise/policy';
import { cosinesOf } from './cosines.mjs';
import { exchangeShare } from './exchange.mjs';
import { ownPairs, sharedDataDir, sharedPairs } from './pairs.mjs';
import { describeScore, score } from './score.mjs';

const GUARDS = /** @type {const} */ ([
  'case',
  'cosine',
  'language',
  'code',
  'format',
  'number',
  'negation',
  'name',
  'question-type',
  'tense',
  'modal',
  'pronoun',
  'preposition',
  'opposite',
  'unaligned',
  'order',
  'referent',
  'time-dependent',
  'personal',
]);

const dtype = process.argv.includes('fp32') ? 'fp32' : 'q8';

/** @typedef {{ name: string, pairs: import('./pairs.mjs').Pair[], cosineOf: (pair: import('./pairs.mjs').Pair) => number }} Set */

/** @returns {Promise<Set[]>} */
async function sets() {
  /** @type {Set[]} */
  const all = [];
  for (const name of /** @type {const} */ (['own', 'en', 'de'])) {
    all.push({ name, pairs: ownPairs(name), cosineOf: (pair) => pair[dtype] ?? 0 });
  }
  all.push({ name: 'adversary', pairs: ownPairs('adversary'), cosineOf: () => 1 });
  for (const name of /** @type {const} */ (['qqp', 'sgd'])) {
    const pairs = sharedPairs(name);
    if (pairs === undefined) {
      console.log(`${name}: skipped, no pairs-single-turn under ${sharedDataDir()}`);
      continue;
    }
    const cosines = await cosinesOf(name, pairs, dtype);
    all.push({ name, pairs, cosineOf: (pair) => cosines[pair.id] ?? 0 });
  }
  return all;
}

const RESULTS = new URL('../../bench/results/guards.json', import.meta.url);
const write = process.argv.includes('--write');

/** What leaving each guard out newly serves, [one answer, other answer] by set. @param {readonly Set[]} all */
function ablation(all) {
  const base = new Map(all.map(({ name, pairs, cosineOf }) => [name, score(pairs, cosineOf)]));
  return GUARDS.map((guard) => {
    const row = all.map(({ name, pairs, cosineOf }) => {
      const without = score(pairs, cosineOf, { disabled: new Set([guard]) });
      const before = base.get(name);
      const gain = (/** @type {'servedPositives' | 'servedNegatives'} */ key) => without[key] - (before?.[key] ?? 0);
      return /** @type {const} */ ([name, [gain('servedPositives'), gain('servedNegatives')]]);
    });
    return { guard, newlyServed: Object.fromEntries(row) };
  });
}

/** @param {ReturnType<typeof ablation>} rows */
function printAblation(rows) {
  console.log('\nwhat leaving one guard out newly serves (same answer / other answer)');
  for (const { guard, newlyServed } of rows) {
    const row = Object.entries(newlyServed).map(([name, gain]) => `${name} ${gain.join(' / ')}`);
    console.log(`${guard.padEnd(16)}${row.join('   ')}`);
  }
}

/** Counts of the rule and of plain cosine, the whole set and its two halves by id. @param {Set} set */
function countsOf({ name, pairs, cosineOf }) {
  const half = (/** @type {0 | 1} */ rest) => pairs.filter(({ id }) => Number(id.replace(/\D/g, '')) % 2 === rest);
  const served = (/** @type {0 | 1} */ label) =>
    pairs.filter((pair) => pair.label === label && cosineOf(pair) >= 0.9).length;
  return {
    name,
    rule: score(pairs, cosineOf),
    evenIds: score(half(0), cosineOf),
    oddIds: score(half(1), cosineOf),
    ...(name === 'adversary' ? {} : { cosine90: { servedPositives: served(1), servedNegatives: served(0) } }),
  };
}

/** @param {readonly Set[]} all */
function exchangeOf(all) {
  const questions = all.find(({ name }) => name === 'qqp')?.pairs ?? ownPairs('own');
  return exchangeShare([...new Set(questions.flatMap(({ a, b }) => [a, b]))]);
}

/** Median and 95th percentile of the stored fingerprints. @param {readonly Set[]} all */
function bytesOf(all) {
  const texts = [...new Set(all.flatMap(({ pairs }) => pairs.flatMap(({ a, b }) => [a, b])))];
  const bytes = texts.map((text) => Buffer.byteLength(encodeFingerprint(parseFingerprint(text)))).sort((x, y) => x - y);
  return { texts: bytes.length, median: bytes[bytes.length >> 1], p95: bytes[Math.floor(bytes.length * 0.95)] };
}

const all = await sets();
for (const { name, pairs, cosineOf } of all)
  console.log(`${name} (${dtype}): ${describeScore(score(pairs, cosineOf))}`);
const rows = write || process.argv.includes('--ablation') ? ablation(all) : undefined;
if (rows !== undefined) printAblation(rows);
const exchange = write || process.argv.includes('--exchange') ? exchangeOf(all) : undefined;
if (exchange !== undefined)
  console.log(
    `\ntwo words exchanged: ${exchange.served} of ${exchange.tried} served (${(100 * exchange.share).toFixed(2)} %)`,
  );
if (write) {
  const version = parseFingerprint('').v;
  const results = { version, dtype, sets: all.map(countsOf), ablation: rows, exchange, fingerprintBytes: bytesOf(all) };
  writeFileSync(RESULTS, `${JSON.stringify(results, undefined, 2)}\n`);
}
