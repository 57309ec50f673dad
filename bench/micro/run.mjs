// Micro benchmarks, one file each with `run({ smoke })`.
const parts = [
  () => import('./embed.mjs'),
  () => import('./reverse-greedy.mjs'),
  () => import('./recompute.mjs'),
  () => import('./risk-score.mjs'),
  () => import('./guards.mjs'),
];

export async function run(options) {
  for (const load of parts) {
    const { run: runPart } = await load();
    await runPart(options);
  }
}
