// Reverse Greedy at the size of one recompute: 5,000 representatives, 1,000 kept, 160 candidates a row (bar: 1 s).
import { performance } from 'node:perf_hooks';
import { createRng } from '@reprise/kernel';
import { reverseGreedy } from '@reprise/policy';

function randomTable(items, pairs) {
  const rng = createRng(1);
  const draw = (count) => Float64Array.from({ length: count }, () => rng.next());
  const total = items * pairs;
  return {
    items,
    weights: draw(items),
    costs: Float64Array.from({ length: items }, () => 0.5 + rng.next() / 2),
    offsets: Int32Array.from({ length: items + 1 }, (_, row) => row * pairs),
    columns: Int32Array.from({ length: total }, (_, at) => {
      const row = Math.floor(at / pairs);
      return at % pairs === 0 ? row : Math.floor(rng.next() * items);
    }),
    losses: Float64Array.from({ length: total }, (_, at) => (at % pairs === 0 ? 0 : rng.next() / 2)),
  };
}

export async function run({ smoke }) {
  const items = smoke ? 200 : 5000;
  const table = randomTable(items, smoke ? 20 : 160);
  const times = [];
  for (let round = 0; round < (smoke ? 1 : 5); round += 1) {
    const startedMs = performance.now();
    reverseGreedy(table, items / 5);
    times.push(performance.now() - startedMs);
  }
  const median = times.sort((a, b) => a - b)[times.length >> 1];
  console.log(
    `reverse greedy: ${items} items, ${table.columns.length} pairs, ${items / 5} kept: median ${median.toFixed(0)} ms`,
  );
}
