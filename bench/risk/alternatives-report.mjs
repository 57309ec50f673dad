// The alternatives beside the budget mode: what each serves at a false-hit rate no higher, its setting chosen with hindsight.
import { readAlternatives } from './alternatives.mjs';

const BUDGETS = [0.01, 0.02, 0.05, 0.1];
const sum = (values) => values.reduce((total, value) => total + value, 0);
const percent = (part, whole) => (whole === 0 ? '–' : ((100 * part) / whole).toFixed(2));

/** Pooled over orders: { hits, wrong, right, requests, falseShare, orders }. */
function pool(runs) {
  const [hits, wrong, requests] = ['hits', 'wrong', 'requests'].map((name) => sum(runs.map((run) => run[name])));
  return { hits, wrong, right: hits - wrong, requests, falseShare: hits === 0 ? 0 : wrong / hits, orders: runs.length };
}

/** Every setting of every family over the same orders. */
function settingsOf(set) {
  const groups = new Map();
  for (const run of readAlternatives(set).filter(({ most }) => most === 2200)) {
    const key = JSON.stringify([run.family, run.setting]);
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()].map((runs) => ({ family: runs[0].family, setting: runs[0].setting, ...pool(runs) }));
}

const mostRight = (settings) =>
  settings.reduce(
    (best, one) => (best === undefined || one.right / one.requests > best.right / best.requests ? one : best),
    undefined,
  );

const shown = ({ setting }) =>
  Object.entries(setting)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ') || '–';

/** The best setting at a false-hit rate of at most `most`, as a cell. */
function bestCell(settings, most) {
  const best = mostRight(settings.filter(({ hits, falseShare }) => hits > 0 && falseShare <= most));
  return best === undefined
    ? 'none'
    : `${percent(best.right, best.requests)} (${shown(best)}; ${percent(best.wrong, best.hits)} wrong)`;
}

function families(settings) {
  const groups = new Map();
  for (const one of settings) groups.set(one.family, [...(groups.get(one.family) ?? []), one]);
  return [...groups].map(([family, own]) => {
    const served = own.filter(({ hits, requests }) => hits > requests / 1000);
    const safest = served.reduce((a, b) => (a === undefined || b.falseShare < a.falseShare ? b : a), undefined);
    const least =
      safest === undefined
        ? '–'
        : `${percent(safest.wrong, safest.hits)} at ${percent(safest.hits, safest.requests)} % hits (${shown(safest)})`;
    return `| ${family} | ${own.length} | ${least} | ${bestCell(own, 0.1)} | ${bestCell(own, 0.2)} | ${bestCell(own, 0.3)} |`;
  });
}

/** The statement, budget by budget: more right reuses than every alternative whose false-hit rate is no higher. */
export function statement(set, runs, budget) {
  const own = runs.filter(
    (run) =>
      run.set === set &&
      run.model === 'klr60' &&
      run.label === 'general' &&
      run.most === 2200 &&
      run.budget === budget &&
      !run.shuffled &&
      !run.withoutAgreement &&
      !run.stored &&
      !run.fit &&
      !run.recipe &&
      run.economy === undefined,
  );
  const settings = settingsOf(set);
  if (own.length === 0 || settings.length === 0) return undefined;
  const mode = pool(own);
  const rival = (most) => mostRight(settings.filter(({ hits, falseShare }) => hits > 0 && falseShare <= most));
  const at = rival(mode.falseShare);
  const within = rival(budget);
  const cell = (one) =>
    one === undefined
      ? 'none serves anything'
      : `${percent(one.right, one.requests)}: ${one.family}, ${shown(one)} (${percent(one.wrong, one.hits)} wrong)`;
  const holds = (one) => one === undefined || mode.right / mode.requests > one.right / one.requests;
  return `| ${set} ${100 * budget} % | ${mode.orders} | ${percent(mode.right, mode.requests)} | ${percent(mode.wrong, mode.hits)} | ${cell(at)} | ${cell(within)} | ${holds(at) && holds(within) ? 'yes' : 'no'} |`;
}

export function alternativesTable(runs) {
  const lines = [
    '| set, budget | orders | right reuses % | wrong/hits % | best alternative no more often wrong | best alternative within the budget | more right reuses than either |',
    '|---|---|---|---|---|---|---|',
    ...['A', 'D'].flatMap((set) => BUDGETS.map((budget) => statement(set, runs, budget)).filter(Boolean)),
  ];
  for (const set of ['A', 'D']) {
    const settings = settingsOf(set);
    if (settings.length === 0) continue;
    lines.push(
      '',
      `Set ${set}, right reuses in % of requests, by the largest share of wrong hits allowed; settings are chosen with hindsight on these very orders:`,
      '',
      '| alternative | settings tried | least wrong/hits % (of settings with ≥ .1 % hits) | ≤ 10 % wrong | ≤ 20 % | ≤ 30 % |',
      '|---|---|---|---|---|---|',
      ...families(settings),
    );
  }
  return lines;
}
