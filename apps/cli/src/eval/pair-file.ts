import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
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

/** The lines of a file, unpacked when its name ends in .gz; line ends of both kinds. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const source = createReadStream(path);
  // An error of the source reaches the reader through the end of the pipe.
  const bytes = path.endsWith('.gz') ? pipeline(source, createGunzip(), () => undefined) : source;
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of bytes as AsyncIterable<Buffer>) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

/** Reads .jsonl or .jsonl.gz. Blank lines are passed over; a file that cannot be read to its end is a CommandError with the line. */
export async function readPairFile(path: string, limit = Infinity): Promise<PairFile> {
  const pairs: Pair[] = [];
  const malformed: MalformedLine[] = [];
  let line = 0;
  try {
    for await (const text of linesOf(path)) {
      line += 1;
      if (text.trim() === '') continue;
      const parsed = parsePairLine(text, line);
      if ('why' in parsed) malformed.push(parsed);
      else pairs.push(parsed);
      if (pairs.length >= limit) break;
    }
  } catch (error) {
    throw new CommandError(`${path} cannot be read${line > 0 ? ` beyond line ${line}` : ''}: ${sentenceOf(error)}.`);
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
