import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SimulatorError } from './simulator-error.js';

/** The root of the clone; src and dist are at the same depth. */
export const repoRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** Folder of the data sets: `REPRISE_DATA_DIR`, else the one beside the clone. It need not exist. */
export function dataRoot(env: Readonly<Record<string, string | undefined>>): string {
  return resolve(env['REPRISE_DATA_DIR'] || resolve(repoRoot, '../shared/data'));
}

/** Whether a data set is on this machine. */
export function hasDataSet(root: string, name: string): boolean {
  return existsSync(resolve(root, name));
}

/** Folder of a data set. Throws a SimulatorError that says how to name another one. */
export function dataSetDir(root: string, name: string): string {
  if (hasDataSet(root, name)) return resolve(root, name);
  throw new SimulatorError(`the data set ${name} is not in ${root}; name its folder with --data or REPRISE_DATA_DIR.`);
}
