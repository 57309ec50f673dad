import { UsageError } from './io.js';

/** Options as the parser gives them: numbers where they look like one, true for a bare flag. */
export type RawOptions = Readonly<Record<string, unknown>>;

/** A whole number of an option, or `fallback` where it is not given. */
export function wholeOption(
  options: RawOptions,
  name: string,
  fallback: number,
  range: readonly [number, number],
): number {
  const value = options[name];
  if (value === undefined) return fallback;
  const [low, high] = range;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < low || value > high) {
    throw new UsageError(`--${name} must be a whole number from ${low} to ${high}.`);
  }
  return value;
}

/** A number of an option, or undefined where it is not given. */
export function numberOption(options: RawOptions, name: string, range: readonly [number, number]): number | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  const [low, high] = range;
  if (typeof value !== 'number' || !(value >= low && value <= high)) {
    throw new UsageError(`--${name} must be a number from ${low} to ${high}.`);
  }
  return value;
}

/** A text of an option, or undefined where it is not given. */
export function textOption(options: RawOptions, name: string): string | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' && typeof value !== 'number') throw new UsageError(`--${name} needs one value.`);
  return String(value);
}

/** The gateway's address without a slash at the end. */
export function urlOption(options: RawOptions, fallback: string): string {
  const text = textOption(options, 'url') ?? fallback;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new UsageError('--url must be an http(s) address such as http://127.0.0.1:8080.');
  }
  // Both the gateway's own address and the base URL that clients are given are meant.
  return text.replace(/\/+$/, '').replace(/\/v1$/, '');
}
