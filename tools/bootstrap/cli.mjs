// The `reprise` command: makes sure that what a command needs is there, then runs it.
import { existsSync } from 'node:fs';
import { BootstrapError, createContext, sentence } from './context.mjs';
import { ensureBuild, ensureDependencies } from './install.mjs';
import { runNode } from './run.mjs';
import { mainOf } from './services.mjs';
import { up } from './start.mjs';

/** Commands that the CLI app answers, with what the usage says of them. @type {[string, string][]} */
const appCommands = [
  ['doctor', 'looks at Redis, model, upstream, time and memory, and says what to fix'],
  ['config check', 'checks reprise.yaml and the environment, names every bad path'],
  ['demo', 'plays 200 generated conversations through the running gateway'],
  ['eval pairs FILE', 'false hits and recall of a file of text pairs, beside plain cosine'],
  ['guard "A" "B"', 'what each guard says of two texts'],
  ['simulate', 'replays traces on the product’s own policies'],
  ['import FILE', 'turns a log into a trace for simulate'],
  ['report', 'the figures of a running deployment'],
];

/** @type {[string, string][]} */
const ownCommands = [
  ['up', 'Redis, gateway and worker on this machine (npm start)'],
  ['gateway', 'one gateway; Redis is found, or fetched and started'],
  ['worker', 'one worker'],
  ['redis', 'only the embedded Redis, in the foreground'],
  ['bench', 'the benchmarks (npm run bench)'],
];

/** The text of `reprise --help`. */
export function usage() {
  const line = (/** @type {[string, string]} */ [name, about]) => `  ${name.padEnd(16)} ${about}`;
  return ['usage: reprise <command> [options]', '', ...ownCommands.map(line), ...appCommands.map(line)].join('\n');
}

/** @param {string[]} args */
async function runApp(args) {
  const context = createContext();
  await ensureDependencies(context);
  await ensureBuild(context);
  const main = mainOf('cli');
  if (!existsSync(main))
    throw new BootstrapError(`The command line app is not built: ${main} does not exist.`, 'npx tsc -b says why.');
  return runNode([main, ...args], { stdin: true });
}

/** @param {string[]} args */
async function dispatch(args) {
  const [command = ''] = args;
  switch (command) {
    case 'up':
      return up(['gateway', 'worker']);
    case 'gateway':
    case 'worker':
      return up([command]);
    case 'redis':
      return up([]);
    case 'bench': {
      const { bench } = await import('./bench.mjs');
      return bench(args.slice(1));
    }
    default: {
      if (appCommands.some(([name]) => name.split(' ')[0] === command)) return runApp(args);
      const asked = ['', 'help', '--help', '-h'].includes(command);
      console[asked ? 'log' : 'error'](asked ? usage() : `reprise: there is no command "${command}".\n\n${usage()}`);
      return asked && command ? 0 : 2;
    }
  }
}

/**
 * Runs one command line.
 * @param {string[]} args
 * @returns {Promise<number>} exit code: that of the command, 2 for a command line that makes no sense
 */
export async function main(args) {
  try {
    return await dispatch(args);
  } catch (error) {
    console.error(sentence(error));
    return 1;
  }
}
