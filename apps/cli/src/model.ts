import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AppConfig } from '@reprise/config';
import { createTransformersEmbedder, type ManagedEmbedder, MODEL_NAME } from '@reprise/embeddings';
import type { Io } from './io.js';
import { repoRoot } from './repo-root.js';

/** A command waits for the model as long as it takes; only the request path has no time. */
const PATIENCE_MS = 30_000;

/** Folder that the configured model is looked for in: the configured one, else the cache of the bootstrap. */
export function modelDirOf(config: Pick<AppConfig, 'embedding'>, io: Pick<Io, 'cwd' | 'env'>): string {
  const { modelDir } = config.embedding;
  if (modelDir !== undefined) return resolve(io.cwd, modelDir);
  const cache = io.env['REPRISE_CACHE_DIR'] || '.cache';
  const here = resolve(io.cwd, cache, 'model');
  return existsSync(join(here, MODEL_NAME)) ? here : resolve(repoRoot, cache, 'model');
}

/** The embedding model that the gateway serves; unhealthy, with a reason in its state, when it cannot be had. */
export function openModel(config: Pick<AppConfig, 'embedding'>, io: Pick<Io, 'cwd' | 'env'>): Promise<ManagedEmbedder> {
  return createTransformersEmbedder({
    modelDir: modelDirOf(config, io),
    dtype: config.embedding.dtype,
    queueLimit: 10_000,
    timeoutMs: PATIENCE_MS,
    maxChars: config.embedding.maxChars,
    ...(config.embedding.threads === undefined ? {} : { threads: config.embedding.threads }),
  });
}

/** Cosine of two texts, or why there is none (`too-long`, `empty`, …). */
export async function cosineOf(model: ManagedEmbedder, a: string, b: string): Promise<number | string> {
  const [first, second] = await Promise.all([model.embed(a), model.embed(b)]);
  if (!first.ok) return first.reason;
  if (!second.ok) return second.reason;
  return dot(first.vector, second.vector);
}

/** Inner product; the cosine, since vectors have unit length. */
function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}
