import { z } from 'zod';
import { count, DAY_MS, durationMs, share } from './units.js';

/** Who says whether reuses were right, and what that may cost. */
export const judgeSchema = z
  .strictObject({
    kind: z.enum(['llm', 'none']).exactOptional().meta({
      description:
        'llm: a model judges; none: nothing is learned, and only the cold-start rule serves. Without it: llm with the demo upstream or when one of model, baseUrl, apiKey is set, else none.',
    }),
    model: z.string().min(1).max(200).exactOptional().meta({
      description: 'Model that judges. Without it: reprise-demo with the demo upstream, else gpt-4o-mini.',
    }),
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .exactOptional()
      .meta({
        secret: true,
        description: "Base URL of the judge's OpenAI-compatible API. Without it: the upstream's.",
      }),
    apiKey: z.string().min(1).max(4_096).exactOptional().meta({
      secret: true,
      description: "Key of that API. Without it: the upstream's, unless baseUrl is set.",
    }),
    timeoutMs: durationMs(100, 600_000).default(30_000).meta({ description: 'Longest wait for a verdict.' }),
    maxSpendUsd: z.number().min(0).max(100_000).default(1).meta({
      description: 'US dollars per namespace that judging may cost in any case.',
    }),
    spendShare: share().default(0.1).meta({
      description: 'Share of the money that the cache has saved which judging may cost beside maxSpendUsd.',
    }),
    perMinute: count(1, 1_000_000).default(600).meta({
      description: 'Reuses that all workers together judge in a minute.',
    }),
    waiting: count(1, 1_000_000).default(5_000).meta({
      description: 'Reuses that may wait for the judge; further ones are not judged.',
    }),
    maxAgeMs: durationMs(1_000, DAY_MS).default(3_600_000).meta({
      description: 'Reuses that have waited longer are not judged any more.',
    }),
  })
  .prefault({})
  .meta({ description: 'The judge of reuses: without one the error budget cannot be learned.' });
