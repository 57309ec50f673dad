import { type AppConfig, formatProblems, loadConfig } from '@reprise/config';
import {
  defaultGenerator,
  defaultThreads,
  type GeneratorName,
  generatorNames,
  importCommand,
  type OutputOptions,
  paperCommand,
  policiesCommand,
  type ShapeName,
  shapeNames,
  SimulatorError,
  traceCommand,
} from '@reprise/simulator';
import { CommandError, type Io, UsageError } from '../io.js';
import { openModel } from '../model.js';
import { type RawOptions, numberOption, textOption, wholeOption } from '../options.js';

const MOST = 1_000_000_000;

/** `simulate paper NAME`, `simulate policies`, `simulate --trace FILE`; all is done by apps/simulator. */
export async function simulate(io: Io, words: readonly string[], options: RawOptions): Promise<number> {
  const [what, name, ...more] = words;
  if (more.length > 0) throw new UsageError(`simulate does not know what to do with "${more.join(' ')}".`);
  const data = textOption(options, 'data');
  const own: Io = data === undefined ? io : { ...io, env: { ...io.env, REPRISE_DATA_DIR: data } };
  const trace = textOption(options, 'trace');
  return foreseen(() => {
    if (what === 'paper') return paper(own, name ?? 'all', options);
    if (what === 'policies' && name === undefined) return policies(own, options);
    if (what === undefined && trace !== undefined) return replay(own, trace, options);
    throw new UsageError('simulate is followed by "paper NAME", "policies", or --trace FILE.');
  });
}

/** `import FILE`: a log as a trace for `simulate --trace`. */
export async function importLog(io: Io, file: string, options: RawOptions): Promise<number> {
  const out = textOption(options, 'out');
  return foreseen(() =>
    importCommand(io, file, { shape: shapeOption(options), ...(out === undefined ? {} : { out }) }),
  );
}

async function foreseen(run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof SimulatorError) throw new CommandError(error.message);
    throw error;
  }
}

function shapeOption(options: RawOptions): ShapeName | 'auto' {
  const shape = textOption(options, 'format') ?? 'auto';
  const known = shapeNames.find((name) => name === shape);
  if (known === undefined && shape !== 'auto')
    throw new UsageError(`--format must be auto or one of ${shapeNames.join(', ')}.`);
  return known ?? 'auto';
}

function configOf(io: Io): AppConfig {
  const loaded = loadConfig({ env: io.env, cwd: io.cwd });
  if (!loaded.ok) throw new CommandError(`the configuration is not valid:\n${formatProblems(loaded.error)}`);
  return loaded.value;
}

/** The tables want as many threads of the model as of the sweep. */
function paper(io: Io, name: string, options: RawOptions): Promise<number> {
  const config = configOf(io);
  const output = outputOptions(options);
  const embedding = { ...config.embedding, threads: Math.max(1, output.threads) };
  const openEmbedder = (): ReturnType<typeof openModel> => openModel({ ...config, embedding }, io);
  return paperCommand(io, name, { ...output, openEmbedder, llm: options['llm'] === true });
}

function replay(io: Io, trace: string, options: RawOptions): Promise<number> {
  const config = configOf(io);
  const store = textOption(options, 'store') ?? 'memory';
  if (store !== 'memory' && store !== 'redis') throw new UsageError('--store must be memory or redis.');
  return traceCommand(io, {
    ...outputOptions(options),
    trace,
    shape: shapeOption(options),
    config,
    openEmbedder: () => openModel(config, io),
    store,
    redisUrl: textOption(options, 'redis') ?? config.redis.url,
    policies: listOption(options, 'policies'),
    capacities: wholeList(options, 'capacities', []),
    seeds: wholeList(options, 'seeds', [1, 2, 3]),
    limit: wholeOption(options, 'limit', 5_000, [1, MOST]),
    budgets: budgetsOption(options),
  });
}

function outputOptions(options: RawOptions): OutputOptions {
  const out = textOption(options, 'out');
  if (options['json'] === true && options['csv'] === true) throw new UsageError('--json or --csv, not both.');
  return {
    ...(out === undefined ? {} : { out }),
    format: options['json'] === true ? 'json' : options['csv'] === true ? 'csv' : 'text',
    threads: wholeOption(options, 'threads', defaultThreads(), [0, 256]),
  };
}

function policies(io: Io, options: RawOptions): Promise<number> {
  const workload = textOption(options, 'workload') ?? defaultGenerator.workload;
  if (!generatorNames.some((known) => known === workload))
    throw new UsageError(`--workload must be one of ${generatorNames.join(', ')}.`);
  const whole = (name: 'requests' | 'items' | 'driftEvery' | 'wordings') =>
    wholeOption(options, name, defaultGenerator[name], [1, MOST]);
  return policiesCommand(io, {
    ...outputOptions(options),
    generator: {
      workload: workload as GeneratorName,
      requests: whole('requests'),
      items: whole('items'),
      exponent: numberOption(options, 'exponent', [0, 5]) ?? defaultGenerator.exponent,
      driftEvery: whole('driftEvery'),
      wordings: whole('wordings'),
    },
    policies: listOption(options, 'policies'),
    capacities: wholeList(options, 'capacities', [100, 300, 1000, 3000]),
    seeds: wholeList(options, 'seeds', [1, 2, 3]),
  });
}

/** Error budgets of the budget mode; `off` leaves its replays out. */
function budgetsOption(options: RawOptions): readonly number[] {
  const given = listOption(options, 'budgets');
  if (given.length === 1 && given[0] === 'off') return [];
  const budgets = given.map(Number);
  if (budgets.some((value) => !(value > 0 && value < 1)))
    throw new UsageError('--budgets must be "off", or shares between 0 and 1 with commas between them.');
  return budgets.length === 0 ? [0.02, 0.05, 0.1] : budgets;
}

/** Names with commas between them. */
function listOption(options: RawOptions, name: string): string[] {
  return (textOption(options, name) ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function wholeList(options: RawOptions, name: string, fallback: readonly number[]): readonly number[] {
  const given = listOption(options, name).map(Number);
  if (given.some((value) => !Number.isInteger(value) || value < 1 || value > MOST))
    throw new UsageError(`--${name} must be whole numbers with commas between them.`);
  return given.length === 0 ? fallback : given;
}
