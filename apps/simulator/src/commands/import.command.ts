import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { writeFileWhole } from '../report/write-file.js';
import { SimulatorError } from '../simulator-error.js';
import { openTrace } from '../traces/open-trace.js';
import { type ShapeName, traceLine } from '../traces/shapes.js';
import type { SimulatorIo } from './io.js';

export interface ImportOptions {
  readonly shape: ShapeName | 'auto';
  /** File to write, gzipped if its name ends in .gz; absent: the standard output. */
  readonly out?: string;
}

/**
 * `import FILE`: a log of any known shape as a trace, a line at a time; what is no chat exchange is counted and left out.
 * The file appears whole or not at all.
 */
export async function importCommand(io: SimulatorIo, file: string, { shape, out }: ImportOptions): Promise<number> {
  const trace = openTrace(file, { cwd: io.cwd, env: io.env, shape });
  let written = 0;
  let labelled = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const record of trace.read()) {
      io.signal.throwIfAborted();
      written += 1;
      if (record.truth !== undefined) labelled += 1;
      yield traceLine(record);
    }
    if (written === 0) throw new SimulatorError(`${file} has no chat exchange${reasons(trace.skipped)}.`);
  }
  if (out === undefined) for await (const line of lines()) io.out(line);
  else await writeFileWhole(resolve(io.cwd, out), out.endsWith('.gz') ? packed(lines()) : lines());
  io.err(`${written} exchanges, ${labelled} with a label or a reference answer${reasons(trace.skipped)}.\n`);
  return 0;
}

const reasons = (skipped: ReadonlyMap<string, number>): string =>
  skipped.size === 0 ? '' : `; left out: ${[...skipped].map(([why, number]) => `${number} × ${why}`).join(', ')}`;

function packed(lines: AsyncIterable<string>): AsyncIterable<Uint8Array> {
  const source = Readable.from(lines);
  const gzip = createGzip();
  source.on('error', (error) => gzip.destroy(error));
  return source.pipe(gzip);
}
