// `node tools/guard-eval/differences.mjs [--texts] [--write]`: every pair on which this rule and its prototype differ, with both reasons.
// Needs a build, the model, python3, the shared pairs (REPRISE_DATA_DIR) and the prototype (REPRISE_GUARD_PROTOTYPE).
// `--texts` prints the sentences, which no file of this repository may hold; `--write` writes bench/results/guard-differences.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { cosinesOf } from './cosines.mjs';
import { ownPairs, sharedDataDir, sharedPairs } from './pairs.mjs';
import { prototypeProblem, prototypeVerdicts } from './prototype.mjs';
import { verdictOn } from './score.mjs';

const RESULTS = new URL('../../bench/results/guard-differences.json', import.meta.url);

/** @typedef {import('./pairs.mjs').Pair} Pair */
/** @typedef {{ set: string, pair: Pair, cosine: number, before: { serve: boolean, reason: string }, now: { serve: boolean, reason: string } }} Difference */

/** @type {{ judgement: string, why: string, ids: string[] }[]} */
const judgements = JSON.parse(readFileSync(new URL('judgements.json', import.meta.url), 'utf8'));

/** What we make of a difference; a pair with one answer that is newly served needs no words. @param {Difference} difference */
function judge({ pair, now }) {
  const found = judgements.find(({ ids }) => ids.includes(pair.id));
  if (found !== undefined) return { judgement: found.judgement, why: found.why };
  if (now.serve && pair.label === 1) return { judgement: 'improvement', why: 'the same question, newly recognised' };
  return { judgement: 'not judged', why: '' };
}

/** @param {'own' | 'qqp' | 'sgd'} name @returns {Promise<{ pairs: number, differences: Difference[] }>} */
async function differencesIn(name) {
  const pairs = name === 'own' ? ownPairs('own') : sharedPairs(name);
  if (pairs === undefined) throw new Error(`no pairs-single-turn under ${sharedDataDir()}`);
  const cosines = name === 'own' ? {} : await cosinesOf(name, pairs, 'q8');
  const rows = pairs.map((pair) => ({ pair, cosine: pair.q8 ?? cosines[pair.id] ?? 0 }));
  const old = prototypeVerdicts(rows.map(({ pair, cosine }) => ({ a: pair.a, b: pair.b, cos: cosine })));
  const differences = rows.flatMap(({ pair, cosine }, at) => {
    const before = old[at] ?? { serve: false, reason: 'no verdict' };
    const now = verdictOn(pair, cosine);
    return before.serve === now.serve ? [] : [{ set: name, pair, cosine, before, now }];
  });
  return { pairs: pairs.length, differences };
}

/** @param {{ serve: boolean, reason: string }} verdict */
const word = ({ serve, reason }) => `${serve ? 'served' : 'refused'} ${reason}`;

/** @param {Difference} difference */
function rowOf(difference) {
  const { set, pair, before, now } = difference;
  return { set, id: pair.id, label: pair.label, prototype: word(before), now: word(now), ...judge(difference) };
}

/** Counts by what it was, what it is and the judgement. @param {ReturnType<typeof rowOf>[]} rows */
function summaryOf(rows) {
  /** @type {Map<string, { now: string, judgement: string, why: string, oneAnswer: number, otherAnswer: number }>} */
  const groups = new Map();
  for (const { now, judgement, why, label } of rows) {
    const what = now.startsWith('served') ? 'served' : now;
    const key = `${what}|${judgement}|${why}`;
    const group = groups.get(key) ?? { now: what, judgement, why, oneAnswer: 0, otherAnswer: 0 };
    group[label === 1 ? 'oneAnswer' : 'otherAnswer'] += 1;
    groups.set(key, group);
  }
  return [...groups.values()].sort((x, y) => y.oneAnswer + y.otherAnswer - x.oneAnswer - x.otherAnswer);
}

const problem = prototypeProblem();
if (problem !== undefined) throw new Error(problem);
const parts = [await differencesIn('own'), await differencesIn('qqp'), await differencesIn('sgd')];
const all = parts.flatMap(({ differences }) => differences);
const pairs = parts.reduce((sum, part) => sum + part.pairs, 0);
const rows = all.map(rowOf);
all.forEach((difference, at) => {
  const row = rows[at];
  console.log(
    `${row?.set} ${row?.id} label ${row?.label}: ${row?.prototype} → ${row?.now}: ${row?.judgement} (${row?.why})`,
  );
  if (process.argv.includes('--texts')) console.log(`    ${difference.pair.a}\n    ${difference.pair.b}`);
});
const summary = summaryOf(rows);
console.log(`\n${rows.length} of ${pairs} verdicts differ`);
for (const { now, judgement, why, oneAnswer, otherAnswer } of summary)
  console.log(`${now.padEnd(24)} ${oneAnswer} / ${otherAnswer}  ${judgement}: ${why}`);
if (process.argv.includes('--write'))
  writeFileSync(RESULTS, `${JSON.stringify({ pairs, differences: rows.length, summary, rows }, undefined, 2)}\n`);
if (rows.some(({ judgement }) => judgement === 'not judged')) process.exitCode = 1;
