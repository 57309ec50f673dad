// The table of the risk model on sgd-ticketing: one JSON line a run under .cache/risk, summarised by report.mjs.
// usage: REPRISE_SGD_DIR=… node bench/risk/run.mjs "set=A model=klr60 budget=0.05 orders=0,1,2,3,4" …
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { prepare } from './prepare.mjs';
import { replay } from './replay.mjs';

const file = new URL('../../.cache/risk/runs.jsonl', import.meta.url).pathname;
const DEFAULTS = { set: 'A', model: 'klr60', budget: '0.05', orders: '0', label: 'general', most: '2200' };

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
    ...(given.landmarks === undefined ? {} : { fit: { landmarks: Number(given.landmarks) } }),
  }));
}

const keyOf = ({ set, most, model, budget, order, label, shuffled, withoutAgreement, fit }) =>
  JSON.stringify([set, most, model, budget, order, label, shuffled, withoutAgreement, fit]);
const done = new Set(
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => keyOf(JSON.parse(line)))
    : [],
);
const sets = new Map();

for (const options of process.argv.slice(2).flatMap(plan)) {
  if (done.has(keyOf(options))) continue;
  const name = `${options.set} ${options.most}`;
  if (!sets.has(name)) sets.set(name, await prepare(options.set, options.most));
  const startedMs = performance.now();
  const result = replay(sets.get(name), options);
  const seconds = (performance.now() - startedMs) / 1000;
  appendFileSync(file, `${JSON.stringify({ ...result, seconds })}\n`);
  const { hits, wrong, requests, firstServe, labels, auc } = result;
  console.log(
    `${keyOf(options)} hits ${((100 * hits) / requests).toFixed(2)} % wrong ${((100 * wrong) / Math.max(1, hits)).toFixed(2)} % ` +
      `first ${firstServe} labels ${((100 * labels) / requests).toFixed(1)} % auc ${auc?.toFixed(3)} ${seconds.toFixed(0)} s`,
  );
}
