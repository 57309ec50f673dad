// An agent that learns from its own runs: recall → work → score → remember. Run it beside `npm start`:
//   node examples/agent-memory.mjs
import { MemoryClient } from '../libs/client/dist/index.js';

const baseUrl = process.env.REPRISE_URL ?? 'http://127.0.0.1:8080';
const memory = new MemoryClient({ baseUrl, apiKey: process.env.REPRISE_KEY ?? 'demo-key' });
const agent = 'deployer';

/** The world of this example: a deployment works only for an agent that knows how to fix it. */
const tasks = [
  {
    task: 'Deploy the billing service to staging.',
    lesson: 'Before billing is deployed to staging its database migration must run.',
  },
  {
    task: 'Deploy the search service to staging.',
    lesson: 'The search service needs its index rebuilt after each deployment.',
  },
];

async function run(number) {
  for (const { task, lesson } of tasks) {
    const recollection = await memory.recall(task, { agent, k: 3 });
    const known = recollection.memories.filter(({ text }) => text === lesson);
    const succeeded = known.length > 0;
    console.log(`run ${number}: ${task} ${succeeded ? 'done, with what was learnt before' : 'failed, and learnt why'}`);
    await recollection.score(
      known.map(({ id }) => id),
      succeeded ? 1 : 0,
    );
    // Only what was found out in this run is written; recalled memories are never stored again.
    if (!succeeded) await memory.remember(lesson, { agent, importance: 5, metadata: { run: number } });
  }
}

for (const number of [1, 2]) await run(number);
