import { configKeys, nodeAt, type ConfigKey, type JsonNode } from '../schema/flatten.js';
import { folded, nearest } from './did-you-mean.js';
import { pathText, type ConfigProblem } from './problems.js';

export type Env = Readonly<Record<string, string | undefined>>;

/** One value that the environment sets. */
export interface EnvOverride {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly variable: string;
}

/** Names that users already have; a REPRISE_SECTION__KEY for the same key is stronger. */
export const wellKnownVariables: Readonly<Record<string, readonly string[]>> = {
  REDIS_URL: ['redis', 'url'],
  OPENAI_API_KEY: ['upstream', 'apiKey'],
  OPENAI_BASE_URL: ['upstream', 'baseUrl'],
  PORT: ['server', 'port'],
  LOG_LEVEL: ['log', 'level'],
  REPRISE_MODEL_DIR: ['embedding', 'modelDir'],
};

/** Name of the variable that overrides a key: `cache.errorBudget` is REPRISE_CACHE__ERROR_BUDGET. */
export const variableOf = (path: readonly string[]): string =>
  `REPRISE_${path.map((part) => part.replace(/[A-Z]/g, '_$&').toUpperCase()).join('__')}`;

/** A variable's text in the type that the schema wants; what cannot be converted stays a text and fails the schema. */
function parseEnvValue(text: string, node: JsonNode | undefined): unknown {
  const trimmed = text.trim();
  switch (node?.type) {
    case 'number':
    case 'integer':
      return trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
    case 'boolean':
      if (/^(true|1|yes|on)$/i.test(trimmed)) return true;
      return /^(false|0|no|off)$/i.test(trimmed) ? false : trimmed;
    case 'array':
      return trimmed.startsWith('[') ? json(trimmed) : listOf(trimmed, node.items);
    case 'object':
      return json(trimmed);
    default:
      return node?.enum ? trimmed : text;
  }
}

function listOf(text: string, items: JsonNode | undefined): unknown {
  return text.split(',').map((part) => parseEnvValue(part.trim(), items));
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

type Index = ReadonlyMap<string, ConfigKey>;

/** Every key, and every object of keys, by its folded name. */
function indexOf(): Index {
  const index = new Map<string, ConfigKey>();
  for (const key of configKeys()) {
    for (let depth = 1; depth <= key.path.length; depth += 1) {
      const path = key.path.slice(0, depth);
      const node = nodeAt(path);
      if (node) index.set(path.map(folded).join('.'), { path, node });
    }
  }
  return index;
}

/** The key that `REPRISE_SECTION_KEY`, with single underscores, probably means. */
function singleUnderscore(name: string, index: Index): ConfigKey | undefined {
  const wanted = folded(name.slice('REPRISE_'.length));
  for (const key of index.values()) {
    if (key.path.length > 1 && key.path.map(folded).join('') === wanted) return key;
  }
  return undefined;
}

function unknownVariable(name: string, index: Index): ConfigProblem {
  const names = [...index.values()].filter((k) => k.path.length > 1).map((k) => variableOf(k.path));
  const near = nearest(name, names);
  const hint = near ? `; did you mean ${near}?` : '';
  return { path: '', rule: `is not a key of the configuration${hint}`, source: name };
}

/** The overrides that an environment holds, weakest first. Empty variables count as not set. */
export function envOverrides(env: Env): { readonly overrides: EnvOverride[]; readonly problems: ConfigProblem[] } {
  const index = indexOf();
  const overrides: EnvOverride[] = [];
  const problems: ConfigProblem[] = [];
  for (const [variable, path] of Object.entries(wellKnownVariables)) {
    const text = env[variable];
    if (text) overrides.push({ path, variable, value: parseEnvValue(text, nodeAt(path)) });
  }
  const named = new Map<string, string>();
  for (const variable of Object.keys(env).sort()) {
    const text = env[variable];
    if (!text || !variable.startsWith('REPRISE_') || variable in wellKnownVariables) continue;
    if (!variable.includes('__') && index.get(folded(variable.slice('REPRISE_'.length)))?.node.type !== 'array') {
      const meant = singleUnderscore(variable, index);
      const rule = meant && `sections and keys are joined by two underscores: ${variableOf(meant.path)}`;
      if (rule) problems.push({ path: '', rule, source: variable });
      continue;
    }
    const key = index.get(variable.slice('REPRISE_'.length).split('__').map(folded).join('.'));
    if (!key) {
      problems.push(unknownVariable(variable, index));
      continue;
    }
    const twin = named.get(pathText(key.path));
    if (twin) problems.push({ path: pathText(key.path), rule: `is set twice, also by ${twin}`, source: variable });
    named.set(pathText(key.path), variable);
    overrides.push({ path: key.path, variable, value: parseEnvValue(text, key.node) });
  }
  // An object given whole (JSON) comes before its single keys, whatever the names' order is.
  const rank = (o: EnvOverride): number => (o.variable in wellKnownVariables ? 0 : o.path.length);
  overrides.sort((a, b) => rank(a) - rank(b));
  return { overrides, problems };
}
