import type { Format, Value } from './report.types.js';

const count = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

const formats: Readonly<Record<Format, (value: number) => string>> = {
  text: String,
  count: (value) => count.format(value),
  share: (value) => `${(100 * value).toFixed(1)} %`,
  decimal1: (value) => value.toFixed(1),
  signed1: (value) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`,
  decimal3: (value) => value.toFixed(3),
  signed3: (value) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`,
  usd: (value) => `$${value.toFixed(value !== 0 && Math.abs(value) < 1 ? 4 : 2)}`,
};

/** A cell as people read it; nothing to say is a dash. */
export function formatValue(value: Value, format: Format): string {
  if (value === undefined || (typeof value === 'number' && Number.isNaN(value))) return '–';
  return typeof value === 'number' ? formats[format](value) : value;
}
