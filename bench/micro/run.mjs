// Micro benchmarks, one file each with `run({ smoke })`.
const parts = ['embed', 'reverse-greedy'];

export async function run(options) {
  for (const part of parts) {
    const { run: runPart } = await import(new URL(`./${part}.mjs`, import.meta.url));
    await runPart(options);
  }
}
