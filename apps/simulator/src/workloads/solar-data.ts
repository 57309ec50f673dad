import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { dataSetDir } from '../data-dir.js';
import { SimulatorError } from '../simulator-error.js';

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

/** Seeds that the published workloads were made with. */
export const workloadSeeds = [42, 1337, 2024] as const;

const files = new Map<string, unknown>();

/** One variant of SOLAR's synthetic workloads; files are read once. Throws a SimulatorError when the data are not there. */
export function loadSynthetic(
  root: string,
  experiment: string,
  seed: number,
  choice: { tag?: string; K?: number } = {},
): SyntheticWorkload {
  const dir = dataSetDir(root, 'solar-synthetic');
  const cached = <T>(file: string, read: (path: string) => T): T => once(resolve(dir, file), read);
  const index = cached('index.json', (path) => JSON.parse(readFileSync(path, 'utf8')) as IndexFile);
  const variant = index.variants.find(
    (v) =>
      v.exp === experiment &&
      v.seed === seed &&
      (!choice.tag || v.tag === choice.tag) &&
      (!choice.K || v.K?.includes(choice.K)),
  );
  if (variant === undefined)
    throw new SimulatorError(`there is no variant ${experiment} ${seed} ${JSON.stringify(choice)}.`);
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

function once<T>(path: string, read: (path: string) => T): T {
  if (!files.has(path)) files.set(path, read(path));
  return files.get(path) as T;
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
