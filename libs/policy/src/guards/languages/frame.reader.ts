import { trimCharacters } from '../text/normalize.js';
import type { Frame } from './frame.types.js';
import type { SentenceReading } from './language.types.js';

const EDGE = ' ,;:';

/** Reads a sentence that a frame with `read` matched. */
export type FrameReader = (sentence: string, matched: string) => SentenceReading;

/** A replacement that is tried before the frames. */
export interface Rewrite {
  readonly pattern: RegExp;
  readonly put: string;
}

/** Runs the rewrites in order. */
export function rewriteSentence(sentence: string, rewrites: readonly Rewrite[]): string {
  let current = sentence;
  for (const { pattern, put } of rewrites) current = current.replace(pattern, put);
  return current;
}

/** Cuts frames off a sentence in order; the first that names a type settles it, others cut and let the next ones try. */
export function readFrames(
  sentence: string,
  frames: readonly Frame[],
  readers: Readonly<Record<string, FrameReader>>,
  readUnframed: (sentence: string) => SentenceReading,
): SentenceReading {
  let current = sentence;
  for (const frame of frames) {
    const match = frame.pattern.exec(current);
    if (match === null) continue;
    const reader = frame.read === undefined ? undefined : readers[frame.read];
    if (reader !== undefined) return reader(current, match[0]);
    current = trimCharacters(current.replace(frame.pattern, frame.put), EDGE);
    if (frame.type !== undefined) return { type: frame.type, rest: current };
  }
  return readUnframed(current);
}
