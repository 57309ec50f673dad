import {
  defaultGenerator,
  defaultThreads,
  type GeneratorName,
  generatorNames,
  type OutputOptions,
  paperCommand,
  policiesCommand,
  SimulatorError,
} from '@reprise/simulator';
import { CommandError, type Io, UsageError } from '../io.js';
import { type RawOptions, numberOption, textOption, wholeOption } from '../options.js';

const MOST = 1_000_000_000;

/** `simulate paper NAME`, `simulate policies`, `simulate --trace FILE`; all is done by apps/simulator. */
export async function simulate(io: Io, words: readonly string[], options: RawOptions): Promise<number> {
  const [what, name, ...more] = words;
  if (more.length > 0) throw new UsageError(`simulate does not know what to do with "${more.join(' ')}".`);
  const data = textOption(options, 'data');
  const own: Io = data === undefined ? io : { ...io, env: { ...io.env, REPRISE_DATA_DIR: data } };
  try {
    if (what === 'paper') return await paperCommand(own, name ?? 'all', outputOptions(options));
    if (what === 'policies' && name === undefined) return await policies(own, options);
  } catch (error) {
    if (error instanceof SimulatorError) throw new CommandError(error.message);
    throw error;
  }
  throw new UsageError('simulate is followed by "paper NAME", "policies", or --trace FILE.');
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
