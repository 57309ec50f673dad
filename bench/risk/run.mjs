// The table of the risk model on sgd-ticketing. One JSON line a finished run under .cache/risk, so that it can be
// stopped and taken up again; the last step writes bench/results/risk.json and docs/benchmarks/risk.md.
// usage: REPRISE_DATA_DIR=… node bench/risk/run.mjs ["set=A model=klr60 budget=0.05 orders=0,1,2,3,4" …]
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { runAlternatives } from './alternatives.mjs';
import { coldStart } from './cold-start.mjs';
import { checkJudge } from './judge-check.mjs';
import { prepare } from './prepare.mjs';
import { replay } from './replay.mjs';
import { writeReport } from './report.mjs';

const folder = new URL('../../.cache/risk/', import.meta.url).pathname;
const file = `${folder}runs.jsonl`;
const DEFAULTS = { set: 'A', model: 'klr60', budget: '0.05', orders: '0', label: 'general', most: '2200' };
const ALL_ORDERS = '0,1,2,3,4';
const WHOLE_TABLE = [
  ...['A', 'D'].flatMap((set) =>
    ['0.05', '0.1', '0.02', '0.01'].map((budget) => `set=${set} budget=${budget} orders=${ALL_ORDERS}`),
  ),
  ...['0.05', '0.1'].map((budget) => `model=lr12 budget=${budget} orders=${ALL_ORDERS}`),
  'label=readme orders=0,1,2',
  'shuffled=yes orders=0,1',
  'agreement=no orders=0,1',
];

function plan(text) {
  const given = { ...DEFAULTS, ...Object.fromEntries(text.split(/\s+/).map((part) => part.split('='))) };
  return given.orders.split(',').map((order) => ({
    set: given.set,
    most: Number(given.most),
    model: given.model,
    budget: Number(given.budget),
    order: Number(order),
    label: given.label,
    ...(given.shuffled === 'yes' ? { shuffled: true } : {}),
    ...(given.agreement === 'no' ? { withoutAgreement: true } : {}),
    ...(given.stored === 'yes' ? { stored: true } : {}),
    ...(given.economy === undefined ? {} : { economy: Number(given.economy) }),
    ...(given.landmarks === undefined ? {} : { fit: { landmarks: Number(given.landmarks) } }),
  }));
}

const keyOf = ({ set, most, model, budget, order, label, shuffled, withoutAgreement, fit, stored, economy }) =>
  JSON.stringify([
    set,
    most,
    model,
    budget,
    order,
    label,
    shuffled,
    withoutAgreement,
    fit,
    ...(stored ? ['stored'] : []),
    ...(economy === undefined ? [] : [`economy ${economy}`]),
  ]);

const percent = (part, whole) => `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`;

function show(options, { hits, wrong, requests, firstServe, labels, auc }, seconds) {
  console.log(
    `${keyOf(options)} hits ${percent(hits, requests)} wrong ${percent(wrong, hits)} first ${firstServe} ` +
      `labels ${percent(labels, requests)} auc ${auc?.toFixed(3)} ${seconds.toFixed(0)} s`,
  );
}

const readRuns = () =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];

async function runAll(texts) {
  mkdirSync(folder, { recursive: true });
  const done = new Set(readRuns().map(keyOf));
  let prepared;
  for (const options of texts.flatMap(plan)) {
    if (done.has(keyOf(options))) continue;
    const name = `${options.set} ${options.most} ${options.stored ? 'stored' : ''}`;
    if (prepared?.name !== name) prepared = { name, data: await prepare(options.set, options.most, options) };
    const startedMs = performance.now();
    const result = replay(prepared.data, options);
    const seconds = (performance.now() - startedMs) / 1000;
    appendFileSync(file, `${JSON.stringify({ ...result, seconds })}\n`);
    show(options, result, seconds);
  }
}

export async function run({ smoke, texts = smoke ? ['most=200'] : WHOLE_TABLE }) {
  const judge = checkJudge();
  console.log(`judge: ${judge.equal} of ${judge.pairs} reuse pairs`);
  await runAll(texts);
  if (smoke) return;
  if (texts === WHOLE_TABLE)
    for (const set of ['A', 'D']) await runAlternatives(set, ALL_ORDERS.split(',').map(Number), 2200);
  writeReport(readRuns(), judge, coldStart());
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const texts = process.argv.slice(2);
  await run({ smoke: false, ...(texts.length > 0 ? { texts } : {}) });
}
