// Synthetic entries: unit vectors from a seeded generator, answers and fingerprints of plausible size, ids and hashes as gateways make them.
const dimensions = 384;
const pad = (n, width) => String(n).padStart(width, '0');
/** 400 to 1,200, 800 in the mean: sizes of one kind would all fall into one class of the allocator. */
export const answerBytes = (n) => 400 + ((n * 7919) % 801);
export const idOf = (n) => `e_${pad(n, 12)}`;
export const exactKeyOf = (n) => pad(n, 32);
export const stratum = 'd'.repeat(32);
export const fingerprintBytes = 160;
export const vectorBytes = dimensions * 4;

function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Directions that the texts of the benchmark are made of: embeddings of texts have far fewer than 384 of their own. */
const topics = Array.from({ length: 40 }, (_, t) => {
  const next = generator(t * 7919 + 3);
  return Float32Array.from({ length: dimensions }, () => next() + next() + next() - 1.5);
});

/** A unit vector between four topics, with some noise; the same number gives the same vector. */
export function vector(n) {
  const next = generator(n * 2654435761 + 1);
  const values = new Float32Array(dimensions);
  for (let k = 0; k < 4; k += 1) {
    const topic = topics[Math.floor(next() * topics.length)];
    const weight = next();
    for (let i = 0; i < dimensions; i += 1) values[i] += weight * topic[i];
  }
  let sum = 0;
  for (let i = 0; i < dimensions; i += 1) {
    values[i] += 0.3 * (next() - 0.5);
    sum += values[i] ** 2;
  }
  const norm = Math.sqrt(sum);
  return values.map((value) => value / norm);
}

/** Entry number `n`; `withVector` false: of the exact tier only. */
export function entry(n, withVector, change = {}) {
  return {
    id: idOf(n),
    requestId: `request-${n}-${process.hrtime.bigint()}`,
    exactKey: exactKeyOf(n),
    ...(withVector ? { stratum, vector: vector(n) } : {}),
    fingerprint: 'f'.repeat(fingerprintBytes),
    firstTurn: true,
    historyKey: '',
    conversation: `c${pad(n, 31)}`,
    answer: `{"text":"${pad(n, answerBytes(n) - 11)}"}`,
    model: 'model-of-the-benchmark',
    tags: ['bench'],
    user: '',
    createdMs: Date.now(),
    exactTtlMs: 86_400_000,
    semanticTtlMs: 86_400_000,
    maxAgeMs: 86_400_000,
    promptTokens: 100,
    completionTokens: 200,
    costMicroUsd: 123.5,
    importance: 0,
    seed: n % 2 ** 31,
    loss: 'counted',
    ...change,
  };
}
