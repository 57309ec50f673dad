// node bench/locomo/run.mjs [--smoke]: the memory benchmark on LoCoMo's turn stream, without an LLM.
// Needs ../shared/data/locomo10 (or REPRISE_DATA_DIR), the model (REPRISE_MODEL_DIR) and built libs (npx tsc -b libs/policy).
// Writes bench/results/locomo.json and prints the table of docs/benchmarks/policies.md.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createPolicy, GhostCache, HandOver, PolicyStore, productPolicy } from '@reprise/policy';
import { locomoFile, readConversations, repoRoot, withVectors } from './data.mjs';
import { delays, replay, schedule } from './replay.mjs';

const ghostNames = ['solar', 'fifo', 'lru', 'two-tier'];

const alone = (name, credit) => ({ policy: (capacity) => createPolicy(name, { capacity }), credit, explicit: true });
const shipped = (credit) => ({
  policy: (capacity, live) => new PolicyStore(productPolicy(live, capacity)),
  credit,
  explicit: true,
  handOver: true,
});

/** Row name → how it runs. Explicit writes skip the gate, as `POST /v1/memory` does. */
const rows = {
  FIFO: alone('fifo', 'none'),
  'LRU, used = helped': alone('lru', 'helped'),
  'LRU, used = recalled': alone('lru', 'recalled'),
  'LFU, used = helped': alone('lfu', 'helped'),
  'ARC, used = helped': alone('arc', 'helped'),
  'W-TinyLFU, used = helped': alone('w-tinylfu', 'helped'),
  'S3-FIFO, used = helped': alone('s3-fifo', 'helped'),
  'SIEVE, used = helped': alone('sieve', 'helped'),
  'shipped default, used = helped': shipped('helped'),
  'shipped default, no feedback': shipped('none'),
  'shipped default, used = recalled': shipped('recalled'),
  'SOLAR, writes behind the gate': { ...alone('solar', 'helped'), explicit: false },
  unlimited: alone('unlimited', 'none'),
};

/** @param {{ smoke: boolean }} options smoke: two capacities, one seed, no results file */
export async function run({ smoke }) {
  const file = locomoFile();
  if (file === undefined) {
    console.log('skipped: no shared/data/locomo10 on this machine (REPRISE_DATA_DIR)');
    return;
  }
  const conversations = (await withVectors(readConversations(file), console.log)).map(withSimilarities);
  const capacities = smoke ? [20, 100] : [20, 50, 100, 200, 400];
  const seeds = smoke ? [1] : [1, 2, 3];
  const results = {};
  for (const [name, row] of Object.entries(rows)) {
    results[name] = {};
    for (const delay of Object.keys(delays)) {
      results[name][delay] = capacities.map((capacity) => measure(conversations, row, delay, capacity, seeds));
    }
    console.log(tableLine(name, results[name]));
  }
  const bar = againstFifo(results);
  console.log(JSON.stringify(bar, null, 2));
  if (!smoke) write({ ...describe(conversations), capacities, seeds, results, bar });
}

/** Mean recall over all questions and seeds, its spread over seeds, and the hand-overs. */
function measure(conversations, row, delay, capacity, seeds) {
  const runs = seeds.map((seed) => runOnce(conversations, row, delay, capacity, seed));
  const recalls = runs.map(({ recall }) => recall);
  const mean = recalls.reduce((sum, value) => sum + value, 0) / recalls.length;
  const handOvers = runs.flatMap((run) => run.handOvers);
  return { capacity, recall: round(mean), spread: round(Math.max(...recalls) - Math.min(...recalls)), handOvers };
}

/** One memory for each conversation; what the namespace has learnt about policies goes on from one to the next. */
function runOnce(conversations, row, delay, capacity, seed) {
  const over = new HandOver('solar');
  const handOvers = [];
  let sum = 0;
  for (const conversation of conversations) {
    const memory = row.policy(capacity, over.state.live);
    const watch = row.handOver ? ghostWatch(over, memory, capacity, handOvers) : {};
    const after = schedule(conversation, delay, seed);
    const { credit, explicit } = row;
    sum += replay(conversation, memory, { after, credit, explicit, seed, ...watch }).recall;
  }
  return { recall: sum / countQuestions(conversations), handOvers };
}

function ghostWatch(over, memory, capacity, handOvers) {
  const ghosts = ghostNames.map((name) => [name, new GhostCache(new PolicyStore(productPolicy(name, capacity)))]);
  return {
    onTurn: (id, seed) => ghosts.forEach(([, ghost]) => ghost.write({ requestId: `write ${id}`, id, seed: seed() })),
    onQuestion: (wanted, requestId, seed) => {
      const event = { requestId, wanted, missLoss: 1, hitLoss: 0 };
      const losses = ghosts.map(([name, ghost]) => [name, ghost.observe({ ...event, seed: seed() })]);
      const decision = over.observe(Object.fromEntries(losses));
      if (decision === undefined) return;
      handOvers.push(decision);
      memory.switchPolicy(productPolicy(decision.to, capacity));
    },
  };
}

function withSimilarities(conversation) {
  const { turnVectors, questionVectors, turns } = conversation;
  const dim = turnVectors.length / turns.length;
  const similarities = conversation.questions.map((_, q) =>
    Float64Array.from(turns, (_turn, t) => {
      let sum = 0;
      for (let i = 0; i < dim; i++) sum += questionVectors[q * dim + i] * turnVectors[t * dim + i];
      return sum;
    }),
  );
  return { ...conversation, similarities };
}

/** The bar: at every capacity at least FIFO − .02, in two of the three delays. */
function againstFifo(results) {
  const bar = {};
  for (const name of Object.keys(rows).filter((other) => other.startsWith('shipped default'))) {
    const gaps = Object.keys(delays).map((delay) => {
      const behind = results[name][delay].map(({ recall }, i) => recall - results.FIFO[delay][i].recall);
      return [delay, round(Math.min(...behind))];
    });
    const passes = gaps.filter(([, gap]) => gap >= -0.02).length >= 2;
    bar[name] = { smallestGapToFifo: Object.fromEntries(gaps), passes };
  }
  return bar;
}

function describe(conversations) {
  const turns = conversations.reduce((sum, { turns: list }) => sum + list.length, 0);
  return {
    benchmark: 'locomo',
    measure: 'evidence recall@5',
    environment: { node: process.version, cpu: cpus()[0]?.model, model: 'all-MiniLM-L6-v2 q8' },
    workload: { conversations: conversations.length, turns, questions: countQuestions(conversations) },
  };
}

function countQuestions(conversations) {
  return conversations.reduce((sum, { questions }) => sum + questions.length, 0);
}

function write(out) {
  mkdirSync(join(repoRoot, 'bench/results'), { recursive: true });
  writeFileSync(join(repoRoot, 'bench/results/locomo.json'), `${JSON.stringify(out, null, 1)}\n`);
}

function tableLine(name, byDelay) {
  const cells = Object.values(byDelay).map((cell) => cell.map(({ recall }) => recall.toFixed(3).slice(1)).join(' '));
  return `| ${name} | ${cells.join(' | ')} |`;
}

function round(value) {
  return Math.round(value * 1e4) / 1e4;
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  await run({ smoke: process.argv.includes('--smoke') });
}
