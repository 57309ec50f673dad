import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { CommandError } from '../io.js';

/** Two texts, and whether the answer to the first serves the second. */
export interface Pair {
  /** From 1. */
  readonly line: number;
  readonly a: string;
  readonly b: string;
  readonly positive: boolean;
  /** Where the pair comes from; '' when the line does not say. */
  readonly kind: string;
}

export interface MalformedLine {
  readonly line: number;
  readonly why: string;
}

export interface PairFile {
  readonly pairs: readonly Pair[];
  readonly malformed: readonly MalformedLine[];
}

/** One line of the file, or the rule that it breaks. */
export function parsePairLine(text: string, line: number): Pair | MalformedLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { line, why: 'is not JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { line, why: 'is not a JSON object' };
  const { a, b, label, kind } = value as Record<string, unknown>;
  if (typeof a !== 'string') return { line, why: '"a" must be a text' };
  if (typeof b !== 'string') return { line, why: '"b" must be a text' };
  if (label !== 0 && label !== 1 && label !== true && label !== false) return { line, why: '"label" must be 1 or 0' };
  if (kind !== undefined && typeof kind !== 'string') return { line, why: '"kind" must be a text' };
  return { line, a, b, positive: Boolean(label), kind: kind ?? '' };
}

/** Reads .jsonl or .jsonl.gz. Blank lines are passed over; a file that cannot be read to its end is a CommandError with the line. */
export async function readPairFile(path: string, limit = Infinity): Promise<PairFile> {
  const pairs: Pair[] = [];
  const malformed: MalformedLine[] = [];
  let line = 0;
  const source = createReadStream(path);
  // A failing source must also end the reader of lines, which listens to its input only.
  const input = path.endsWith('.gz') ? pipeline(source, createGunzip(), () => undefined) : source;
  const failure = new Promise<never>((_resolve, reject) => {
    input.once('error', reject);
    source.once('error', reject);
  });
  const read = async (): Promise<void> => {
    for await (const text of createInterface({ input, crlfDelay: Infinity })) {
      line += 1;
      if (text.trim() === '') continue;
      const parsed = parsePairLine(text, line);
      if ('why' in parsed) malformed.push(parsed);
      else pairs.push(parsed);
      if (pairs.length >= limit) break;
    }
  };
  try {
    await Promise.race([read(), failure]);
  } catch (error) {
    throw new CommandError(`${path} cannot be read${line > 0 ? ` beyond line ${line}` : ''}: ${sentenceOf(error)}.`);
  } finally {
    failure.catch(() => undefined);
    source.destroy();
  }
  return { pairs, malformed };
}

function sentenceOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'Z_BUF_ERROR') return 'the compressed data are cut off';
  if (code === 'Z_DATA_ERROR') return 'it is not gzip, or damaged';
  return error instanceof Error ? error.message : String(error);
}
