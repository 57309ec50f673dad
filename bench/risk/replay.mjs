// One order of one prepared set through the budget mode: real serving, band labels, cross-fitted calibration.
import {
  BAND_RATES,
  ClassPosteriors,
  decideBudget,
  economyRate,
  FEATURE_NAMES,
  FEATURES,
  fitKlr,
  fitLogistic,
  KLR_DEFAULTS,
  labelCoin,
  labelRate,
  LR12_FEATURES,
  lr12Row,
  NEIGHBOURS,
  pairFeatures,
  PREFIX_DEFAULTS,
  RiskLearner,
  SCORED,
  withLocalClasses,
} from '@reprise/policy';
import { acceptable, generallyAcceptable } from './judge.mjs';
import { numpyRng } from './numpy-random.mjs';
import { NEAREST } from './prepare.mjs';

const ORDER_SEED = 1000;
const SIMILARITY = FEATURE_NAMES.indexOf('similarity');
const AGREEMENT = ['agree_mean', 'agree_share', 'class_share', 'agree_wide'].map((name) => FEATURE_NAMES.indexOf(name));

const simpleRow = (row, entry, posteriors) =>
  lr12Row(row, posteriors.near80.of(entry.class80), posteriors.near90.of(entry.entry.replyClass));

const simple = { size: LR12_FEATURES, fit: fitLogistic, row: simpleRow };

/** The arms: what a row is, how a model is fitted, whether scores are cross-fitted; least first prefix of the test. */
const arms = {
  klr60: (options) => ({
    size: FEATURES,
    crossFitted: true,
    fit: (data) => fitKlr(data, { ...KLR_DEFAULTS, ...options }),
    row: (row) => row,
  }),
  lr12: () => ({ ...simple, crossFitted: false, leastPrefix: 200 }),
  'lr12-first100': () => ({ ...simple, crossFitted: false }),
  'lr12-crossfitted': () => ({ ...simple, crossFitted: true, leastPrefix: 200 }),
};

function judgeOf(prepared, options) {
  const accepts = options.label === 'readme' ? acceptable : generallyAcceptable;
  const truth = (request, entry) => (accepts(entry.facts, request.facts) ? 0 : 1);
  if (!options.shuffled) return { truth, told: truth };
  // The label of another request's nearest candidate: same rate, no information.
  const { requests, nearest } = prepared;
  const other = numpyRng(77).permutation(requests.length);
  const index = new Map(requests.map((request, i) => [request, i]));
  const told = (request) => {
    const at = other[index.get(request)];
    return truth(requests[at], requests[nearest[at * NEAREST]]);
  };
  return { truth, told };
}

export function replay(prepared, options) {
  const run = new Run(prepared, options);
  for (const c of numpyRng(ORDER_SEED + options.order).permutation(prepared.conversations.length)) {
    run.conversation(prepared.conversations[c]);
  }
  return run.summary();
}

class Run {
  live;
  decided = [];
  fits = { count: 0, ms: 0, longestMs: 0 };
  featureMs = 0;
  scoreMs = 0;

  constructor(prepared, options) {
    this.prepared = prepared;
    this.options = options;
    this.arm = arms[options.model](options.fit ?? {});
    this.live = new Uint8Array(prepared.requests.length);
    this.judge = judgeOf(prepared, options);
    this.posteriors = { near80: new ClassPosteriors(), near90: new ClassPosteriors() };
    const { size, fit, crossFitted, leastPrefix = PREFIX_DEFAULTS.leastPrefix } = this.arm;
    this.learner = new RiskLearner({ size, fit, crossFitted, calibration: { budget: options.budget, leastPrefix } });
  }

  conversation({ id, first, end }) {
    const judged = [];
    this.model = this.learner.model;
    this.threshold = this.model === undefined ? undefined : this.learner.threshold;
    for (let r = first; r < end; r += 1) this.request(r, judged);
    this.learn(id, judged);
  }

  request(r, judged) {
    const { requests, nearest } = this.prepared;
    const candidates = [];
    for (let k = r * NEAREST; k < (r + 1) * NEAREST && candidates.length < NEIGHBOURS; k += 1) {
      if (this.live[nearest[k]] === 1) candidates.push(requests[nearest[k]]);
    }
    const request = requests[r];
    const { rows, scores } = this.scored(request, candidates);
    const decision = decideBudget(scores, this.threshold);
    const entry = candidates[decision.candidate];
    const rejected = entry === undefined ? 1 : this.judge.truth(request, entry);
    this.decided.push({
      serve: decision.serve,
      rejected,
      score: this.model === undefined ? undefined : decision.score,
      request,
    });
    this.live[r] = decision.serve ? 0 : 1;
    if (entry === undefined) return;
    const score = this.model === undefined ? undefined : decision.score;
    const rate = this.rateOf(score);
    if (labelCoin(`order ${this.options.order}`, request.id) >= rate) return;
    judged.push({ row: rows[decision.candidate], score, rate, rejected: this.judge.told(request, entry), entry });
  }

  /** As in the reference; or under the label economy of the gateway, which buys fewer after `economy` labels. */
  rateOf(score) {
    const { economy } = this.options;
    if (economy === undefined) return labelRate(score);
    return economyRate(score, this.threshold, this.learner.labels, { rates: BAND_RATES, allowance: economy });
  }

  scored(request, candidates) {
    const startedMs = performance.now();
    const entries = this.options.stored
      ? withLocalClasses(
          candidates.map(({ stored }) => stored),
          SCORED,
        )
      : candidates.map(({ entry }) => entry);
    const flat = pairFeatures(request.state, entries, this.prepared.axes);
    this.featureMs += performance.now() - startedMs;
    const count = flat.length / FEATURES;
    const rows = [];
    const wide = new Float64Array(count * this.arm.size);
    for (let i = 0; i < count; i += 1) {
      const row = flat.subarray(i * FEATURES, (i + 1) * FEATURES);
      if (this.options.withoutAgreement) for (const column of AGREEMENT) row[column] = 0;
      rows.push(this.arm.row(row, candidates[i], this.posteriors));
      wide.set(rows[i], i * this.arm.size);
    }
    if (this.model === undefined) {
      return { rows, scores: rows.map((_, i) => 1 - flat[i * FEATURES + SIMILARITY]) };
    }
    const scoreStartedMs = performance.now();
    const scores = this.model.score(wide, count);
    this.scoreMs += performance.now() - scoreStartedMs;
    return { rows, scores };
  }

  learn(conversation, judged) {
    for (const { entry, rejected } of judged) {
      this.posteriors.near80.add(entry.class80, rejected);
      this.posteriors.near90.add(entry.entry.replyClass, rejected);
    }
    const startedMs = performance.now();
    if (!this.learner.learn(conversation, judged)) return;
    const ms = performance.now() - startedMs;
    this.fits = { count: this.fits.count + 1, ms: this.fits.ms + ms, longestMs: Math.max(this.fits.longestMs, ms) };
  }

  summary() {
    const { decided, fits, featureMs, scoreMs } = this;
    const hits = decided.filter(({ serve }) => serve);
    const wrong = hits.filter(({ rejected }) => rejected === 1).length;
    const quarters = [0, 1, 2, 3].map((q) => {
      const part = decided.slice((q * decided.length) / 4, ((q + 1) * decided.length) / 4);
      return part.filter(({ serve }) => serve).length / part.length;
    });
    const first = decided.findIndex(({ serve }) => serve);
    const saved = (part) => part.reduce((sum, { request }) => sum + request.replyTokens, 0);
    return {
      ...this.options,
      requests: decided.length,
      hits: hits.length,
      wrong,
      firstServe: first === -1 ? null : first + 1,
      quarters,
      labels: this.learner.labels,
      closing: hits.filter(({ request }) => request.goodbye).length,
      savedShare: saved(hits.filter(({ rejected }) => rejected === 0)) / saved(decided),
      auc: areaUnderCurve(decided.filter(({ score }) => score !== undefined)),
      cost: { fits: fits.count, fitMs: fits.ms, longestFitMs: fits.longestMs, featureMs, scoreMs, scored: SCORED },
    };
  }
}

/** Probability that a rejected candidate scores above an accepted one; ties count half. */
function areaUnderCurve(decided) {
  const sorted = [...decided].sort((a, b) => a.score - b.score);
  let ranks = 0;
  let rejected = 0;
  for (let from = 0; from < sorted.length;) {
    let to = from;
    while (to < sorted.length && sorted[to].score === sorted[from].score) to += 1;
    for (let i = from; i < to; i += 1) {
      if (sorted[i].rejected === 1) {
        ranks += (from + to + 1) / 2;
        rejected += 1;
      }
    }
    from = to;
  }
  const accepted = sorted.length - rejected;
  return rejected === 0 || accepted === 0 ? null : (ranks - (rejected * (rejected + 1)) / 2) / (rejected * accepted);
}
