import { loadConfig } from '@reprise/config';
import { type CAC, cac } from 'cac';
import { configCheck } from './config-check/config-check.command.js';
import { demo } from './demo/demo.command.js';
import { doctor } from './doctor/doctor.command.js';
import { evalPairs } from './eval/eval-pairs.command.js';
import { guard } from './guard/guard.command.js';
import { CommandError, type Io, UsageError } from './io.js';
import { type RawOptions, textOption } from './options.js';
import { report } from './report/report.command.js';
import { importLog, simulate } from './simulate/simulate.command.js';

/** The gateway of this machine, at the port that the configuration names. */
export function gatewayOf(io: Io): string {
  const loaded = loadConfig({ env: io.env, cwd: io.cwd });
  return `http://127.0.0.1:${(loaded.ok && loaded.value.server.port) || 8080}`;
}
const GATEWAY = 'the port of the configuration, on this machine';

/** How commands of two words are shown; the parser itself knows only the first word. */
const SHOWN: readonly (readonly [string, string])[] = [
  ['config <action> [file]', 'config check [file]'],
  ['eval <what> <file>', 'eval pairs <file>'],
  ['guard [...texts]', 'guard "A" "B"'],
  ['simulate [...what]', 'simulate …'],
];

const shown = (text: string): string =>
  SHOWN.reduce((out, [raw, real]) => out.replace(raw, real.padEnd(raw.length)), text);

type Action = (...args: unknown[]) => Promise<number>;

function build(io: Io): CAC {
  const cli = cac('reprise');
  const action = (run: Action): Action => run;
  cli
    .command('config <action> [file]', 'prints the configuration in force without secrets, or every problem of it')
    .usage('config check [file]')
    .option('--config <file>', 'the same as [file]')
    .action(
      action((what, file, options) =>
        second(what, 'check', 'config', () =>
          configCheck(io, text(file) ?? textOption(options as RawOptions, 'config')),
        ),
      ),
    );
  cli
    .command('doctor', 'looks at Node, Redis, model, upstream, time and memory, and says what to fix')
    .option('--config <file>', 'configuration file (default: REPRISE_CONFIG, else reprise.yaml)')
    .option('--timeout <ms>', 'longest wait for one answer, in ms (default: 3000)')
    .option('--json', 'print the findings as JSON')
    .action(action((options) => doctor(io, options as RawOptions)));
  cli
    .command('demo', 'plays generated conversations through the running gateway and checks every reuse')
    .option('--url <url>', `address of the gateway (default: ${GATEWAY})`)
    .option('--conversations <n>', 'how many to play (default: demo.conversations, 200)')
    .option('--concurrency <n>', 'conversations at a time (default: demo.concurrency, 4)')
    .option('--seed <n>', 'seed of the conversations (default: demo.seed, 7)')
    .option('--namespace <name>', 'sub-namespace to play in (default: a fresh one)')
    .option('--key <key>', 'API key to present')
    .option('--model <model>', 'model to ask for (default: demo)')
    .option('--admin-token <token>', 'to show what is being learned (default: the file auth.adminTokenFile)')
    .option('--json', 'print the figures as JSON')
    .action(action((options) => demo(io, options as RawOptions, gatewayOf(io))));
  cli
    .command('eval <what> <file>', 'false hits and recall of a file of text pairs, beside plain cosine')
    .usage('eval pairs <file>')
    .option('--url <url>', `address of the gateway (default: ${GATEWAY})`)
    .option('--model <model>', 'model to ask for (default: demo)')
    .option('--key <key>', 'API key to present')
    .option('--concurrency <n>', 'pairs at a time (default: 8)')
    .option('--limit <n>', 'only the first n pairs')
    .option('--compare', 'say whether each verdict is that of the library under this configuration')
    .option('--mistakes <n>', 'print so many false hits and missed positives (default: 0)')
    .option('--no-cosine', 'do not compute the cosines here; take those of the x-cache-similarity header')
    .option('--clean', 'remove the stored entries afterwards, one purge a pair; else they expire')
    .option('--admin-token <token>', 'token for --clean (default: the file auth.adminTokenFile)')
    .option('--json', 'print the figures as JSON')
    .example(
      'reprise eval pairs pairs.jsonl.gz   # lines of {"a", "b", "label", "kind"?}, label 1 = one answer serves both',
    )
    .action(
      action((what, file, options) =>
        second(what, 'pairs', 'eval', () => evalPairs(io, text(file) ?? '', options as RawOptions, gatewayOf(io))),
      ),
    );
  cli
    .command('guard [...texts]', 'what each guard says of two texts; no server is needed')
    .usage('guard "A" "B"')
    .option('--cosine <value>', 'cosine of the two texts (default: that of the embedding model)')
    .option('--json', 'print the explanation as JSON')
    .action(action((texts, options) => guard(io, texts as string[], options as RawOptions)));
  cli
    .command('simulate [...what]', 'replays traces through the product’s own code; makes the published tables again')
    .usage('simulate paper <table|all> | simulate policies | simulate --trace <file>')
    .option('--out <dir>', 'write report.html, .json, .txt and CSV files there; a stopped run goes on')
    .option('--json', 'print the report as JSON')
    .option('--csv', 'print the tables as CSV')
    .option('--threads <n>', 'worker threads (default: one a core)')
    .option('--data <dir>', 'folder of the data sets (default: REPRISE_DATA_DIR)')
    .option('--policies <names>', 'policies, with commas between them (default: all)')
    .option('--capacities <list>', 'capacities in entries, with commas between them')
    .option('--seeds <list>', 'seeds, with commas between them (default: 1,2,3)')
    .option(
      '--trace <file>',
      'a trace (jsonl, gzipped or not) or the name of a data set: what the cache would have done',
    )
    .option('--format <name>', 'trace: auto, openai, litellm or langfuse (default: auto)')
    .option('--limit <n>', 'trace: most exchanges to replay (default: 5000)')
    .option(
      '--budgets <list>',
      'trace: error budgets to replay where labels are known, or off (default: 0.02,0.05,0.1)',
    )
    .option('--llm', 'paper: ask the language model of REPRISE_LLM_BASE_URL instead of the proxy')
    .option('--store <name>', 'trace: memory or redis (default: memory)')
    .option('--redis <url>', 'trace: address for --store redis (default: redis.url)')
    .option('--workload <name>', 'policies: zipf, drift or cycling (default: zipf)')
    .option('--requests <n>', 'policies: length of the trace (default: 100000)')
    .option('--items <n>', 'policies: distinct items (default: 10000)')
    .option('--exponent <s>', 'policies: exponent of the popularity (default: 0.9)')
    .option('--drift-every <n>', 'policies: requests until the most popular item changes (default: 50)')
    .option('--wordings <n>', 'policies: ways in which each item is asked for (default: 3)')
    .example('reprise simulate --trace mine.jsonl --out report')
    .example('reprise simulate paper solar-8')
    .example('reprise simulate policies --workload drift --requests 1000000 --out drift')
    .action(action((what, options) => simulate(io, (what as unknown[]).map(String), options as RawOptions)));
  cli
    .command('report', 'what the running cache does for a namespace: hits, false-hit rate, gate, labels, money')
    .option('--url <url>', `address of the gateway (default: ${GATEWAY})`)
    .option('--namespace <name>', 'namespace as the admin API lists it (default: the only one)')
    .option('--format <name>', 'text, json or html (default: text); html is one page that needs nothing else')
    .option('--out <file>', 'file to write (default: the standard output)')
    .option('--admin-token <token>', 'admin token (default: the file auth.adminTokenFile)')
    .action(action((options) => report(io, options as RawOptions, gatewayOf(io))));
  cli
    .command('import <file>', 'turns a log (OpenAI, LiteLLM or Langfuse lines) into a trace for simulate')
    .option('--format <name>', 'auto, openai, litellm or langfuse (default: auto)')
    .option('--out <file>', 'file to write, gzipped if it ends in .gz (default: the standard output)')
    .action(action((file, options) => importLog(io, String(file), options as RawOptions)));
  cli.help((sections) => sections.map((section) => ({ ...section, body: shown(section.body) })));
  return cli;
}

const text = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));

function second(given: unknown, wanted: string, command: string, run: () => Promise<number>): Promise<number> {
  if (given !== wanted)
    throw new UsageError(`there is no command "${command} ${String(given)}", only "${command} ${wanted}".`);
  return run();
}

/** The commands with one line each. */
export function usage(io: Io): string {
  const lines = build(io).commands.map(({ rawName, description }) => {
    const name = SHOWN.find(([raw]) => raw === rawName)?.[1] ?? rawName;
    return `  ${name.padEnd(20)} ${description}`;
  });
  return [
    'usage: reprise <command> [options]',
    '',
    ...lines,
    '',
    'reprise <command> --help tells its options.',
    '',
  ].join('\n');
}

/**
 * Runs one command line (without the program's name).
 * @returns exit code: 0, 1 when the command failed or found something, 2 for a command line that makes no sense
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const cli = build(io);
  try {
    cli.parse(['node', 'reprise', ...argv], { run: false });
    if (cli.options['help'] === true) return 0;
    if (cli.matchedCommand === undefined) {
      const [name] = argv;
      throw new UsageError(name === undefined ? 'a command is missing.' : `there is no command "${name}".`);
    }
    return await (cli.runMatchedCommand() as Promise<number>);
  } catch (error) {
    return failed(error, io);
  }
}

function failed(error: unknown, io: Io): number {
  if (error instanceof UsageError || (error instanceof Error && error.name === 'CACError')) {
    io.err(`reprise: ${error.message}\n\n${usage(io)}`);
    return 2;
  }
  if (io.signal.aborted) {
    io.err('\nStopped.\n');
    return 130;
  }
  if (error instanceof CommandError) io.err(`reprise: ${error.message}\n`);
  else io.err(`reprise: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 1;
}
