import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textHash } from '@reprise/embeddings';
import type { Embedder } from '@reprise/semantic-cache';
import { writeFileWhole } from '../report/write-file.js';
import { SimulatorError } from '../simulator-error.js';
import type { Progress } from '../sweep/progress.js';

/** Bytes of a text's SHA-256. */
const keyBytes = 32;
/** Texts a file: what a stopped run may lose. */
const textsAFile = 1024;
/** Texts that wait for the model at a time. */
const inFlight = 64;

/** Unit vectors by text. */
export interface TextVectors {
  readonly dimensions: number;
  /** The vector of an embedded text; zeros for one that has none (empty, or too long for the model). */
  of(text: string): Float32Array;
}

export interface EmbedTextsOptions {
  readonly embedder: Embedder;
  /** Folder of the kept vectors. */
  readonly cacheDir: string;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** Where vectors are kept; plain data, so that a worker thread can read them. */
export interface KeptVectors {
  readonly dir: string;
  readonly dimensions: number;
}

/** Folder of the vectors of a model. */
export const keptVectorsOf = ({ identity, dimensions }: Embedder, cacheDir: string): KeptVectors => ({
  dir: join(cacheDir, textHash(identity).slice(0, 16)),
  dimensions,
});

/** The vectors that an earlier `embedTexts` kept. */
export function readTextVectors({ dir, dimensions }: KeptVectors): TextVectors {
  return vectorsOf(readKept(dir, dimensions), dimensions);
}

function vectorsOf(known: ReadonlyMap<string, Float32Array>, dimensions: number): TextVectors {
  const zeros = new Float32Array(dimensions);
  return { dimensions, of: (text) => known.get(textHash(text)) ?? zeros };
}

/**
 * Vectors of texts, each embedded once on this machine: they are kept in files of 1,024, by a hash of the text and by model. No text is kept.
 * A file appears whole or not at all, so that runs may be stopped, and run beside each other. Throws a SimulatorError without a model.
 */
export async function embedTexts(texts: Iterable<string>, options: EmbedTextsOptions): Promise<TextVectors> {
  const { embedder, cacheDir, progress, signal } = options;
  const { dir, dimensions } = keptVectorsOf(embedder, cacheDir);
  const known = readKept(dir, dimensions);
  const missing = new Map<string, string>();
  for (const text of texts) {
    const key = textHash(text);
    if (!known.has(key)) missing.set(key, text);
  }
  if (missing.size > 0 && !embedder.healthy())
    throw new SimulatorError(
      'the texts of this table must be embedded, and there is no embedding model (npm start fetches it).',
    );
  progress.start(missing.size);
  try {
    for (const part of parts([...missing], textsAFile)) {
      const rows = await embedPart(part, embedder, progress, signal);
      await keep(dir, rows);
      for (const [key, vector] of rows) known.set(key, vector);
    }
  } finally {
    progress.stop();
  }
  return vectorsOf(known, dimensions);
}

type Row = readonly [key: string, vector: Float32Array];

async function embedPart(
  part: readonly (readonly [string, string])[],
  embedder: Embedder,
  progress: Progress,
  signal: AbortSignal,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const few of parts(part, inFlight)) {
    signal.throwIfAborted();
    const embedded = await Promise.all(
      few.map(async ([key, text]): Promise<Row> => {
        const outcome = await embedder.embed(text);
        if (outcome.ok) return [key, outcome.vector];
        if (outcome.reason === 'empty' || outcome.reason === 'too-long')
          return [key, new Float32Array(embedder.dimensions)];
        throw new SimulatorError(`the embedding model failed (${outcome.reason}); run the command again to go on.`);
      }),
    );
    rows.push(...embedded);
    progress.advance(few.length);
  }
  return rows;
}

function readKept(dir: string, dimensions: number): Map<string, Float32Array> {
  const known = new Map<string, Float32Array>();
  const rowBytes = keyBytes + 4 * dimensions;
  for (const name of existsSync(dir) ? readdirSync(dir) : []) {
    if (!name.endsWith('.vec')) continue;
    const bytes = readFileSync(join(dir, name));
    for (let at = 0; at + rowBytes <= bytes.length; at += rowBytes) {
      const vector = bytes.buffer.slice(bytes.byteOffset + at + keyBytes, bytes.byteOffset + at + rowBytes);
      known.set(bytes.toString('base64url', at, at + keyBytes), new Float32Array(vector));
    }
  }
  return known;
}

async function keep(dir: string, rows: readonly Row[]): Promise<void> {
  const bytes = rows.flatMap(([key, { buffer, byteOffset, byteLength }]) => [
    Buffer.from(key, 'base64url'),
    new Uint8Array(buffer, byteOffset, byteLength),
  ]);
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield Buffer.concat(bytes);
  }
  await writeFileWhole(join(dir, `${randomBytes(8).toString('hex')}.vec`), whole());
}

function* parts<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
