import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { SimulatorError } from '../simulator-error.js';

export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** No request that a gateway takes is longer; a file without line ends must not fill the memory. */
const longestLine = 64 * 1024 * 1024;

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
}

async function openText(path: string): Promise<Readable> {
  try {
    const packed = await isGzip(path);
    const raw = createReadStream(path, { highWaterMark: 1 << 18 });
    if (!packed) return raw;
    const unpacked = createGunzip();
    raw.on('error', (error) => unpacked.destroy(error));
    return raw.pipe(unpacked);
  } catch (error) {
    throw new SimulatorError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * The lines of a file, gzipped or not (by its first bytes), one at a time, blank ones left out.
 * Throws a SimulatorError with the line where the file is cut off, is not UTF-8, or has no end of line for 64 MiB.
 */
export async function* readLines(path: string): AsyncGenerator<Line> {
  let number = 1;
  let rest: Buffer = Buffer.alloc(0);
  const fail = (why: string): SimulatorError => new SimulatorError(`${path}, line ${number}: ${why}`);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes: Buffer): string => {
    try {
      return decoder.decode(bytes);
    } catch {
      throw fail('is not UTF-8.');
    }
  };
  const stream = await openText(path);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        const part = chunk.subarray(from, end);
        const text = decode(rest.length === 0 ? part : Buffer.concat([rest, part])).trim();
        rest = Buffer.alloc(0);
        from = end + 1;
        if (text !== '') yield { number, text };
        number += 1;
      }
      if (from < chunk.length) rest = Buffer.concat([rest, chunk.subarray(from)]);
      if (rest.length > longestLine) throw fail('has no end within 64 MiB; a trace has one JSON object a line.');
    }
  } catch (error) {
    if (error instanceof SimulatorError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const cut = code === 'Z_BUF_ERROR';
    throw fail(cut ? 'the file ends in the middle of its compressed data.' : `cannot be read on (${message}).`);
  } finally {
    stream.destroy();
  }
  const text = decode(rest).trim();
  if (text !== '') yield { number, text };
}

/** The JSON objects of a file, one a line, or a line that is an array of them. Throws a SimulatorError that names the line of what is none. */
export async function* readObjects(
  path: string,
): AsyncGenerator<{ readonly number: number; readonly value: Record<string, unknown> }> {
  for await (const { number, text } of readLines(path)) {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      const why = text.endsWith('}') ? (error as Error).message : 'the line is cut off';
      throw new SimulatorError(`${path}, line ${number}: is not JSON (${why}).`);
    }
    // Some exports are one array.
    for (const object of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof object !== 'object' || object === null || Array.isArray(object))
        throw new SimulatorError(`${path}, line ${number}: is not a JSON object; a trace has one a line.`);
      yield { number, value: object as Record<string, unknown> };
    }
  }
}
