import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dataRoot, dataSetDir } from '../data-dir.js';
import { fileHash } from '../report/provenance.js';
import { SimulatorError } from '../simulator-error.js';
import { dataSets, readDataSet } from './data-sets.js';
import { readObjects } from './read-lines.js';
import { readShape, type ShapeName } from './shapes.js';
import { isSkipped, type TraceRecord } from './trace.types.js';

/** A trace that can be read from its beginning as often as one likes. */
export interface Trace {
  readonly name: string;
  /** What a truth of it means; undefined where it has none of its own. */
  readonly label: string | undefined;
  read(): AsyncGenerator<TraceRecord>;
  /** sha256 of its file. */
  hash(): Promise<string>;
  /** Lines that were left out at the last reading, by reason. */
  readonly skipped: ReadonlyMap<string, number>;
}

export interface OpenOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly shape?: ShapeName | 'auto';
  /** Order of the conversations of a data set. */
  readonly seed?: number;
}

/** A trace file, or a data set by its name. Throws a SimulatorError when there is none. */
export function openTrace(name: string, { cwd, env, shape = 'auto', seed = 1 }: OpenOptions): Trace {
  const path = resolve(cwd, name);
  if (existsSync(path)) return traceOfFile(path, shape);
  const set = Object.hasOwn(dataSets, name) ? dataSets[name] : undefined;
  if (set === undefined)
    throw new SimulatorError(
      `there is no file ${path}, and no data set of that name (${Object.keys(dataSets).join(', ')}).`,
    );
  const root = dataRoot(env);
  const dir = dataSetDir(root, name);
  return {
    name,
    label: set.label,
    read: () => readDataSet(root, name, seed),
    hash: () => fileHash(join(dir, set.file)),
    skipped: new Map(),
  };
}

function traceOfFile(path: string, shape: ShapeName | 'auto'): Trace {
  const skipped = new Map<string, number>();
  async function* read(): AsyncGenerator<TraceRecord> {
    skipped.clear();
    for await (const { number, value } of readObjects(path)) {
      const outcome = readShape(value, number, shape);
      if (isSkipped(outcome)) skipped.set(outcome.skipped, (skipped.get(outcome.skipped) ?? 0) + 1);
      else yield outcome;
    }
  }
  return { name: path, label: undefined, read, hash: () => fileHash(path), skipped };
}
