import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** One variant of the synthetic workloads, ready to replay. */
export interface SyntheticWorkload {
  readonly seed: number;
  /** Unit vectors of the items, row-major. */
  readonly items: Float32Array;
  readonly queries: Float32Array;
  readonly dim: number;
  /** Item offered at each step, or null. */
  readonly stream: readonly (number | null)[];
  /** Items in the cache before the first step. */
  readonly prefill: readonly number[];
  readonly relevant: readonly (readonly number[])[];
  /** Steps at the start that are not scored. */
  readonly warmup: number;
}

interface IndexFile {
  readonly arrays: Readonly<Record<string, { readonly file: string; readonly dim: number }>>;
  readonly variants: readonly Variant[];
}

interface Variant {
  readonly exp: string;
  readonly tag?: string;
  readonly seed: number;
  readonly K?: readonly number[];
  readonly workload: string;
  readonly items: string;
  readonly queries: readonly string[];
  readonly n_warmup_steps?: number;
}

interface WorkloadFile {
  readonly queries: { readonly relevant: readonly (readonly number[])[] };
  readonly stream: readonly (number | null)[];
  readonly prefill?: Readonly<Record<string, readonly number[]>>;
}

export const seeds = [42, 1337, 2024] as const;

const root = process.env.REPRISE_DATA_DIR ?? resolve(import.meta.dirname, '../../../../shared/data');

/** Where a data set is, or undefined when this machine does not have it. */
export function dataDir(name: string): string | undefined {
  const dir = resolve(root, name);
  return existsSync(dir) ? dir : undefined;
}

const dir = dataDir('solar-synthetic');
const files = new Map<string, unknown>();

/** Throws when the data or the variant is missing: callers ask `dataDir` first. */
export function loadSynthetic(
  experiment: string,
  seed: number,
  choice: { tag?: string; K?: number } = {},
): SyntheticWorkload {
  const index = cached('index.json', (path) => JSON.parse(readFileSync(path, 'utf8')) as IndexFile);
  const variant = index.variants.find(
    (v) =>
      v.exp === experiment &&
      v.seed === seed &&
      (!choice.tag || v.tag === choice.tag) &&
      (!choice.K || v.K?.includes(choice.K)),
  );
  if (variant === undefined) throw new Error(`No variant ${experiment} ${seed} ${JSON.stringify(choice)}.`);
  const workload = cached(
    variant.workload,
    (path) => JSON.parse(gunzipSync(readFileSync(path)).toString()) as WorkloadFile,
  );
  const array = (name: string) => cached(index.arrays[name]?.file ?? name, readVectors);
  return {
    seed,
    items: array(variant.items),
    queries: joined(variant.queries.map(array)),
    dim: index.arrays[variant.items]?.dim ?? 0,
    stream: workload.stream,
    prefill: (choice.K && workload.prefill?.[String(choice.K)]) || [],
    relevant: workload.queries.relevant,
    warmup: variant.n_warmup_steps ?? 0,
  };
}

function cached<T>(file: string, read: (path: string) => T): T {
  if (!files.has(file)) files.set(file, read(resolve(dir ?? '', file)));
  return files.get(file) as T;
}

function readVectors(path: string): Float32Array {
  const raw = gunzipSync(readFileSync(path));
  return new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.byteLength));
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const only = parts[0];
  if (parts.length === 1 && only) return only;
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
