import { randomBytes } from 'node:crypto';
import { formatProblems, loadConfig } from '@reprise/config';
import { generateConversations } from '@reprise/upstream';
import { CommandError, type Io } from '../io.js';
import { type RawOptions, textOption, urlOption, wholeOption } from '../options.js';
import { adminToken } from '../eval/clean-up.js';
import { playConversations } from './demo-player.js';
import { demoTable, LiveText, wrongText } from './demo-table.js';
import { GateWatch } from './gate-watch.js';
import { Tally } from './tally.js';
import { truthOf } from './truth.js';

const MODEL = 'demo';
const REDRAW_MS = 250;
/** Conversations with a help desk are short. */
const MAX_TURNS = 3;
const MAX_CONVERSATIONS = 1_000_000;
const MAX_SEED = 2_147_483_647;

/** `demo`: plays generated conversations and checks every reuse; exit code 1 when requests failed, whatever the figures are. */
export async function demo(io: Io, options: RawOptions, gateway: string): Promise<number> {
  const url = urlOption(options, gateway);
  const loaded = loadConfig({ env: io.env, cwd: io.cwd });
  if (!loaded.ok) throw new CommandError(`the configuration is not valid:\n${formatProblems(loaded.error)}`);
  const { demo: defaults } = loaded.value;
  const count = wholeOption(options, 'conversations', defaults.conversations, [1, MAX_CONVERSATIONS]);
  const concurrency = wholeOption(options, 'concurrency', defaults.concurrency, [1, 256]);
  const seed = wholeOption(options, 'seed', defaults.seed, [0, MAX_SEED]);
  const key = textOption(options, 'key');
  const namespace = textOption(options, 'namespace') ?? `demo-${randomBytes(4).toString('hex')}`;
  const target = {
    url,
    model: textOption(options, 'model') ?? MODEL,
    namespace,
    ...(key === undefined ? {} : { key }),
  };
  const conversations = generateConversations({ seed, count, maxTurns: MAX_TURNS });
  const truth = truthOf(conversations);
  const tally = new Tally();
  const startedMs = performance.now();
  const figures = () => tally.figures((performance.now() - startedMs) / 1_000);
  const live = new LiveText(io.out);
  const token = adminToken(textOption(options, 'adminToken'), loaded.value.auth.adminTokenFile, io.cwd);
  const gate = new GateWatch(url, token, namespace);
  gate.start();
  const json = options['json'] === true;
  const drawing =
    io.terminal && !json ? setInterval(() => live.draw(demoTable(figures(), count, gate.text)), REDRAW_MS) : undefined;
  try {
    await playConversations(target, conversations, truth, tally, concurrency, io.signal);
  } finally {
    clearInterval(drawing);
    await gate.stop();
  }
  const last = figures();
  if (json)
    io.out(`${JSON.stringify({ url, namespace, seed, ...last, wrongReuses: tally.wrongReuses }, undefined, 2)}\n`);
  else {
    live.draw(demoTable(last, count, gate.text));
    io.out(`${wrongText(tally.wrongReuses)}\nsub-namespace ${namespace}, seed ${seed}\n`);
  }
  return last.failed > 0 ? 1 : 0;
}
