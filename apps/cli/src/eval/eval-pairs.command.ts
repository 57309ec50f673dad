import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { type AppConfig, formatProblems, loadConfig } from '@reprise/config';
import { guardOptionsOf } from '@reprise/policy';
import { CommandError, type Io } from '../io.js';
import { cosineOf, openModel } from '../model.js';
import { type RawOptions, textOption, urlOption, wholeOption } from '../options.js';
import { agreementOf, agreementText } from './agreement.js';
import { adminToken, purgeRun } from './clean-up.js';
import { figuresOf, type JudgedPair } from './figures.js';
import { type MalformedLine, readPairFile } from './pair-file.js';
import { type PairOutcome, playPairs } from './pair-player.js';
import { mistakesText, reportText } from './report.js';

const MODEL = 'demo';
const LANES = 8;
const COSINES_AT_A_TIME = 64;
const MALFORMED_SHOWN = 10;

/** `eval pairs FILE`: plays each pair through the running gateway; exit code 0 whatever the figures are. */
export async function evalPairs(io: Io, file: string, options: RawOptions, gateway: string): Promise<number> {
  const url = urlOption(options, gateway);
  const json = options['json'] === true;
  const limit = wholeOption(options, 'limit', Number.MAX_SAFE_INTEGER, [1, Number.MAX_SAFE_INTEGER]);
  const concurrency = wholeOption(options, 'concurrency', LANES, [1, 256]);
  const mistakes = wholeOption(options, 'mistakes', 0, [0, 1_000_000]);
  const model = textOption(options, 'model') ?? MODEL;
  const key = textOption(options, 'key');
  const loaded = loadConfig({ env: io.env, cwd: io.cwd });
  if (!loaded.ok) throw new CommandError(`the configuration is not valid:\n${formatProblems(loaded.error)}`);
  const { pairs, malformed } = await readPairFile(resolve(io.cwd, file), limit);
  io.err(malformedText(malformed));
  if (pairs.length === 0) throw new CommandError(`${file} has no pair: a line is {"a": …, "b": …, "label": 1 or 0}.`);
  const run = `eval-${randomBytes(4).toString('hex')}`;
  const target = { url, model, namespace: run, ...(key === undefined ? {} : { key }) };
  const startedMs = performance.now();
  const outcomes = await playPairs(target, pairs, concurrency, io.signal, progress(io, 'pairs', pairs.length));
  const seconds = (performance.now() - startedMs) / 1_000;
  if (options['clean'] === true) {
    const token = adminToken(textOption(options, 'adminToken'), loaded.value.auth.adminTokenFile, io.cwd);
    io.err(`${capital(await purgeRun(url, run, token))}\n`);
  }
  const judged = await withCosines(io, loaded.value, outcomes, options['cosine'] !== false);
  const figures = figuresOf(judged);
  const agreement = options['compare'] === true ? agreementOf(judged, guardOptionsOf(loaded.value.cache)) : undefined;
  if (json)
    io.out(
      `${JSON.stringify({ file, url, model, seconds, pairs: pairs.length, malformed, ...figures, ...(agreement && { agreement }) }, undefined, 2)}\n`,
    );
  else {
    const compared = agreement === undefined ? '' : agreementText(agreement);
    io.out(reportText(figures, { pairs: pairs.length, seconds }) + compared + mistakesText(judged, mistakes));
  }
  return 0;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function malformedText(lines: readonly MalformedLine[]): string {
  if (lines.length === 0) return '';
  const shown = lines.slice(0, MALFORMED_SHOWN).map(({ line, why }) => `line ${line} ${why}\n`);
  const more = lines.length > MALFORMED_SHOWN ? `… and ${lines.length - MALFORMED_SHOWN} more\n` : '';
  return `${lines.length} line${lines.length === 1 ? '' : 's'} left out:\n${shown.join('')}${more}\n`;
}

/** A counter on the terminal; nothing where the output goes to a file. */
function progress(io: Io, what: string, total: number): (done: number) => void {
  if (!io.terminal) return () => undefined;
  const startedMs = performance.now();
  let shownMs = 0;
  return (done) => {
    const nowMs = performance.now();
    if (done < total && nowMs - shownMs < 200) return;
    shownMs = nowMs;
    const perSecond = (1_000 * done) / Math.max(1, nowMs - startedMs);
    io.err(`\r${done} of ${total} ${what}, ${perSecond.toFixed(0)}/s${done === total ? '\n' : ' '}`);
  };
}

/** Cosines of the model that the gateway serves, computed here; without it those that the gateway named. */
async function withCosines(
  io: Io,
  config: AppConfig,
  outcomes: readonly PairOutcome[],
  compute: boolean,
): Promise<JudgedPair[]> {
  const model = compute ? await openModel(config, io) : undefined;
  try {
    if (model === undefined || !model.healthy()) {
      const why = model === undefined ? '' : `: ${model.state().reason ?? 'the model does not work here'}`;
      io.err(`Cosines are those of x-cache-similarity, where the gateway named one${why}.\n`);
      return outcomes.map(namedCosine);
    }
    const judged: JudgedPair[] = [];
    const done = progress(io, 'cosines', outcomes.length);
    for (let at = 0; at < outcomes.length; at += COSINES_AT_A_TIME) {
      io.signal.throwIfAborted();
      const part = outcomes.slice(at, at + COSINES_AT_A_TIME);
      judged.push(
        ...(await Promise.all(
          part.map(async (outcome): Promise<JudgedPair> => {
            const cosine = await cosineOf(model, outcome.pair.a, outcome.pair.b);
            return typeof cosine === 'string' ? { outcome } : { outcome, cosine };
          }),
        )),
      );
      done(judged.length);
    }
    return judged;
  } finally {
    await model?.close();
  }
}

/** An exact hit names no similarity, but its texts are equal. */
function namedCosine(outcome: PairOutcome): JudgedPair {
  const cosine = outcome.similarity ?? (outcome.cache === 'hit-exact' ? 1 : undefined);
  return cosine === undefined ? { outcome } : { outcome, cosine };
}
