import { z } from 'zod';
import { count, DAY_MS, durationMs } from './units.js';

const redisUrl = z.string().refine((text) => URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol), {
  error: 'must be a redis:// or rediss:// URL',
});

export const redisSchema = z
  .strictObject({
    url: redisUrl.default('redis://127.0.0.1:6379').meta({
      secret: true,
      description: 'Redis 8 (vector sets).',
    }),
    cluster: z.array(redisUrl).min(1).exactOptional().meta({
      secret: true,
      description: 'Start nodes of a Redis Cluster, as URLs; replaces url.',
    }),
    sentinels: z.array(redisUrl).min(1).exactOptional().meta({
      secret: true,
      description:
        'Sentinels, as URLs, which are asked where the primary is; of url only user, password and rediss are used then.',
    }),
    sentinelName: z
      .string()
      .min(1)
      .default('mymaster')
      .meta({ description: 'Name by which the sentinels watch the primary.' }),
    form: z
      .enum(['fcall', 'evalsha'])
      .default('fcall')
      .meta({ description: 'How the Lua commands are called: as a function library or as scripts.' }),
    commandTimeoutMs: durationMs(1, 10_000).exactOptional().meta({
      description:
        'Longest wait for one command on the request path. Without it: 40 ms, or .8 of limits.addedLatencyMs if less.',
    }),
  })
  .prefault({})
  .meta({ description: 'The shared state.' });

export const embeddingSchema = z
  .strictObject({
    modelDir: z.string().min(1).exactOptional().meta({
      description: 'Folder that holds Xenova/all-MiniLM-L6-v2/{tokenizer.json,onnx/…}. Without it: .cache/model.',
    }),
    dtype: z.enum(['q8', 'fp32', 'int8']).default('q8').meta({ description: 'Which weights are served.' }),
    threads: count(1, 64).exactOptional().meta({ description: 'Worker threads. Without it: cores − 1, at least 1.' }),
    queueLimit: count(1, 100_000)
      .default(256)
      .meta({ description: 'Texts that may wait for a worker; further ones skip the semantic tier.' }),
    timeoutMs: durationMs(1, 10_000).exactOptional().meta({
      description:
        'Longest wait for one vector; past it the semantic tier is skipped. Without it: 40 ms, or .8 of limits.addedLatencyMs if less.',
    }),
    cacheEntries: count(0, 1_000_000)
      .default(5_000)
      .meta({ description: 'Vectors kept in process by text hash, 1.5 kB each.' }),
    maxChars: count(1, 100_000).default(4_096).meta({
      description: 'Longest text, in UTF-16 units, that is given to the tokeniser (16 per token of the window).',
    }),
  })
  .prefault({})
  .meta({ description: 'The embedding model.' });

export const queuesSchema = z
  .strictObject({
    prefix: z
      .string()
      .regex(/^[a-zA-Z0-9_-]{1,32}$/)
      .default('rpq')
      .meta({ description: 'Prefix of the keys of BullMQ.' }),
    sweepEveryMs: durationMs(1_000, DAY_MS).default(60_000).meta({ description: 'Time between two sweeps.' }),
    sweepLimit: count(1, 10_000).default(1_000).meta({ description: 'Members that one sweep looks at per namespace.' }),
    sweepNamespaces: count(1, 100_000).default(500).meta({
      description: 'Namespaces of one sweep, and of one run of the ghosts; with more of them they take turns.',
    }),
    ghostsEveryMs: durationMs(1_000, DAY_MS)
      .default(10_000)
      .meta({ description: 'Time between two runs of the ghost policies.' }),
    ghostsEvents: count(100, 20_000).default(5_000).meta({
      description: 'New outcomes that one run of the ghost policies counts per namespace.',
    }),
    learnEveryMs: durationMs(100, DAY_MS).default(2_000).meta({ description: 'Time between two looks at new labels.' }),
    recomputeEveryMs: durationMs(1_000, DAY_MS).default(30_000).meta({
      description: 'Least time between two choices of the planned tier of a namespace.',
    }),
    lostAfterMs: durationMs(1_000, 3_600_000).exactOptional().meta({
      description:
        'A worker that is silent for so long has lost its jobs, and another one does them. Without it: 10 s; 60 s for judging, ghosts and the choice of the planned tier.',
    }),
    healthPort: count(0, 65_535).default(9_464).meta({
      description:
        'Port of the worker for /healthz and /metrics, on loopback unless server.host is set; 0, or when it is taken: a free one.',
    }),
    concurrency: count(1, 256).default(4).meta({ description: 'Jobs of one queue that one worker runs at a time.' }),
  })
  .prefault({})
  .meta({ description: 'The jobs of the worker.' });
