// `node tools/guard-eval/run.mjs [--dtype fp32] [--ablation] [--exchange]`: what the guard rule serves on labelled pairs.
// Needs a build (`npm run build`), and for the shared pairs the model (`npm start` or `npm test` fetches it).
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

/** @param {readonly Set[]} all */
function printAblation(all) {
  console.log('\nwhat leaving one guard out newly serves (same answer / other answer)');
  const base = new Map(all.map(({ name, pairs, cosineOf }) => [name, score(pairs, cosineOf)]));
  for (const guard of GUARDS) {
    const row = all.map(({ name, pairs, cosineOf }) => {
      const without = score(pairs, cosineOf, { disabled: new Set([guard]) });
      const before = base.get(name);
      const gain = (/** @type {'servedPositives' | 'servedNegatives'} */ key) => without[key] - (before?.[key] ?? 0);
      return `${name} ${gain('servedPositives')} / ${gain('servedNegatives')}`;
    });
    console.log(`${guard.padEnd(16)}${row.join('   ')}`);
  }
}

const all = await sets();
for (const { name, pairs, cosineOf } of all)
  console.log(`${name} (${dtype}): ${describeScore(score(pairs, cosineOf))}`);
if (process.argv.includes('--ablation')) printAblation(all);
if (process.argv.includes('--exchange')) {
  const questions = all.find(({ name }) => name === 'qqp')?.pairs ?? ownPairs('own');
  const texts = [...new Set(questions.flatMap(({ a, b }) => [a, b]))];
  const { tried, served, share } = exchangeShare(texts);
  console.log(`\ntwo words exchanged: ${served} of ${tried} served (${(100 * share).toFixed(2)} %)`);
}
