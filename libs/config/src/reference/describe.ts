import { variableOf, wellKnownVariables } from '../load/env-overrides.js';
import { configJsonSchema, configKeys, type ConfigKey, type JsonNode } from '../schema/flatten.js';

/** One key as the reference shows it. */
export interface DescribedKey {
  readonly path: string;
  readonly meaning: string;
  /** Default as it is written in YAML; undefined when there is none. */
  readonly fallback: string | undefined;
  readonly rule: string;
  /** Variables that set it, the strongest first. */
  readonly variables: readonly string[];
}

export interface DescribedSection {
  readonly name: string;
  readonly meaning: string;
  readonly keys: readonly DescribedKey[];
}

/** A default as a person would write it: durations and sizes with their unit. */
function written(path: string, value: unknown): string {
  if (typeof value === 'number' && path.endsWith('Ms')) return duration(value);
  if (typeof value === 'number' && path.endsWith('Bytes')) return size(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function duration(ms: number): string {
  for (const [unit, length] of [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1_000],
  ] as const) {
    if (ms >= length && ms % length === 0) return `${ms / length}${unit}`;
  }
  return String(ms);
}

function size(bytes: number): string {
  for (const [unit, length] of [
    ['MiB', 1_048_576],
    ['KiB', 1_024],
  ] as const) {
    if (bytes >= length && bytes % length === 0) return `${bytes / length}${unit}`;
  }
  return String(bytes);
}

function range(path: string, node: JsonNode): string {
  const low = node.minimum === undefined ? '' : written(path, node.minimum);
  const high = node.maximum === undefined || node.maximum >= Number.MAX_SAFE_INTEGER ? '' : written(path, node.maximum);
  if (low && high) return ` ${low} … ${high}`;
  return low ? ` ≥ ${low}` : '';
}

function ruleOf(path: string, node: JsonNode): string {
  if (node.enum) return node.enum.join(' \\| ');
  switch (node.type) {
    case 'integer':
      return (path.endsWith('Ms') ? 'duration' : path.endsWith('Bytes') ? 'size' : 'whole number') + range(path, node);
    case 'number':
      return `number${range(path, node)}`;
    case 'boolean':
      return 'true \\| false';
    case 'array':
      return `list of ${itemRule(path, node.items)}`;
    default:
      return node.secret === true ? 'text, secret' : 'text';
  }
}

function itemRule(path: string, items: JsonNode | undefined): string {
  if (!items) return 'values';
  return items.properties ? `{${Object.keys(items.properties).join(', ')}}` : ruleOf(path, items);
}

function describeKey({ path, node }: ConfigKey): DescribedKey {
  const text = path.join('.');
  const wellKnown = Object.entries(wellKnownVariables).filter(([, at]) => at.join('.') === text);
  return {
    path: text,
    meaning: node.description ?? '',
    fallback: node.default === undefined ? undefined : written(text, node.default),
    rule: ruleOf(text, node),
    variables: [variableOf(path), ...wellKnown.map(([name]) => name)],
  };
}

/** Every section with its keys, in the order of the schema. */
export function describeConfig(): readonly DescribedSection[] {
  return Object.entries(configJsonSchema().properties ?? {}).map(([name, node]) => ({
    name,
    meaning: node.description ?? '',
    keys: configKeys(node, [name]).map(describeKey),
  }));
}
