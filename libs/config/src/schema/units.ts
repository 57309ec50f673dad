import { z } from 'zod';

const MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const BYTES: Readonly<Record<string, number>> = { b: 1, kib: 1_024, mib: 1_048_576, gib: 1_073_741_824 };

function scaled(units: Readonly<Record<string, number>>) {
  return (value: unknown): unknown => {
    if (typeof value !== 'string') return value;
    const match = /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*$/i.exec(value);
    const unit = match && units[(match[2] ?? '').toLowerCase()];
    return match && unit ? Number(match[1]) * unit : value;
  };
}

/** A duration in milliseconds; a string with a unit (`'40ms'`, `'15m'`, `'7d'`) is accepted too. */
export const durationMs = (min: number, max: number) =>
  z.preprocess(
    scaled(MS),
    z.number({ error: 'must be a number of milliseconds or a text such as 15m or 7d' }).int().min(min).max(max),
  );

/** A size in bytes; a string with a unit (`'10MiB'`) is accepted too. */
export const sizeBytes = (min: number, max: number) =>
  z.preprocess(
    scaled(BYTES),
    z.number({ error: 'must be a number of bytes or a text such as 10MiB' }).int().min(min).max(max),
  );

export const count = (min: number, max: number) => z.number().int().min(min).max(max);
export const share = () => z.number().min(0).max(1);

const SECOND = 1_000;
export const DAY_MS = 86_400 * SECOND;
export const YEAR_MS = 366 * DAY_MS;
