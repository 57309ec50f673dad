import { z } from 'zod';
import { authSchema } from './auth.schema.js';
import { embeddingSchema, queuesSchema, redisSchema } from './backing.schema.js';
import { cacheSchema, policyFields } from './cache.schema.js';
import { limitsSchema, serverSchema, upstreamSchema } from './edge.schema.js';
import { judgeSchema } from './judge.schema.js';
import { count, DAY_MS, durationMs, YEAR_MS } from './units.js';

const usd = z.number().min(0).max(100_000);

const priceSchema = z.strictObject({
  model: z.string().min(1).max(200).meta({ description: 'Model with * as wildcard.' }),
  inputPerMTokUsd: usd.meta({ description: 'US dollars per million prompt tokens.' }),
  outputPerMTokUsd: usd.meta({ description: 'US dollars per million completion tokens.' }),
});

const logSchema = z
  .strictObject({
    level: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace'])
      .default('info')
      .meta({ description: 'Least level that is written.' }),
    pretty: z
      .boolean()
      .exactOptional()
      .meta({ description: 'Lines for people instead of JSON. Without it: when the output is a terminal.' }),
  })
  .prefault({})
  .meta({ description: 'The log; it never holds message text or keys.' });

const telemetrySchema = z
  .strictObject({
    metrics: z.boolean().default(true).meta({ description: 'Serve /metrics.' }),
    processMetrics: z
      .boolean()
      .default(true)
      .meta({ description: 'Also memory, CPU, garbage collection and event loop of the process.' }),
  })
  .prefault({})
  .meta({ description: 'Metrics.' });

const memorySchema = z
  .strictObject({
    ttlMs: durationMs(1, 10 * YEAR_MS)
      .default(90 * DAY_MS)
      .meta({ description: 'How long a memory is kept when its writer does not say.' }),
    eviction: policyFields.eviction.default('solar').meta({
      description: 'Which memory leaves a full space; memories are recalled in cycles, where SOLAR loses least.',
    }),
  })
  .prefault({})
  .meta({ description: 'The experience memory of agents.' });

const demoSchema = z
  .strictObject({
    conversations: count(1, 1_000_000).default(200).meta({ description: 'Conversations that `reprise demo` plays.' }),
    seed: count(0, 2_147_483_647).default(7).meta({ description: 'Seed of the generated conversations.' }),
    concurrency: count(1, 256).default(4).meta({ description: 'Conversations played at a time.' }),
  })
  .prefault({})
  .meta({ description: 'The demonstration.' });

/** Every section of reprise.yaml, in the order of the reference page. */
export const sections = {
  server: serverSchema,
  upstream: upstreamSchema,
  redis: redisSchema,
  embedding: embeddingSchema,
  limits: limitsSchema,
  cache: cacheSchema,
  auth: authSchema,
  prices: z
    .array(priceSchema)
    .max(1_000)
    .default([])
    .meta({ description: 'Price cards; they come before the built-in ones, the first match is taken.' }),
  memory: memorySchema,
  judge: judgeSchema,
  queues: queuesSchema,
  log: logSchema,
  telemetry: telemetrySchema,
  demo: demoSchema,
} as const;

export type SectionName = keyof typeof sections;

export const appConfigSchema = z.strictObject(sections).meta({ description: 'Configuration of Reprise.' });

export type ParsedConfig = z.output<typeof appConfigSchema>;
