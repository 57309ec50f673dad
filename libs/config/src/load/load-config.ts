import { basename, resolve } from 'node:path';
import { err, ok, type Result } from '@reprise/kernel';
import type { AppConfig } from '../app-config.js';
import { sections, type ParsedConfig, type SectionName } from '../schema/app-config.schema.js';
import { nodeAt } from '../schema/flatten.js';
import { crossProblems } from './cross-rules.js';
import { envOverrides, type Env, type EnvOverride } from './env-overrides.js';
import { deepFreeze } from './freeze.js';
import { problemsOf, unknownKey, type ConfigProblem } from './problems.js';
import { parseYamlObject, readConfigFile } from './yaml-file.js';

export interface LoadOptions {
  /** Path of the file; else REPRISE_CONFIG; else ./reprise.yaml if there is one. */
  readonly file?: string;
  /** Default: the process's environment. */
  readonly env?: Env;
  /** Folder that relative paths start from. Default: the process's. */
  readonly cwd?: string;
}

type Raw = Record<string, unknown>;
type SourceOf = (path: readonly PropertyKey[]) => string;

const isObject = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the file and the environment. Returns the frozen configuration, or every problem there is. */
export function loadConfig(options: LoadOptions = {}): Result<AppConfig, ConfigProblem[]> {
  const env = options.env ?? process.env;
  const cwd = options.cwd ?? process.cwd();
  const file = fileContent(options.file ?? (env['REPRISE_CONFIG'] || undefined), cwd);
  const { overrides, problems } = envOverrides(env);
  if (!file.ok) problems.push(...file.error);
  const raw = file.ok ? file.value.raw : {};
  const merged = overrides.reduce<Raw>((into, override) => withValue(into, override.path, override.value), raw);
  const sourceOf = sourcesOf(overrides, file.ok ? file.value.source : 'reprise.yaml');
  const parsed = parseSections(merged, sourceOf);
  problems.push(...parsed.problems, ...crossProblems(parsed.value, sourceOf));
  if (problems.length > 0) return err(problems);
  return ok(deepFreeze(resolveDefaults(parsed.value as ParsedConfig, env)));
}

function fileContent(path: string | undefined, cwd: string): Result<{ raw: Raw; source: string }, ConfigProblem[]> {
  const source = basename(path ?? 'reprise.yaml');
  const text = readConfigFile(resolve(cwd, path ?? 'reprise.yaml'), source);
  if (!text.ok) return text;
  if (text.value === undefined) {
    if (path !== undefined) return err([{ path: '', rule: 'does not exist', source }]);
    return ok({ raw: {}, source });
  }
  const raw = parseYamlObject(text.value, source);
  return raw.ok ? ok({ raw: raw.value, source }) : raw;
}

/** A copy of `object` with `value` at `path`; objects on the way are made, anything else there is replaced. */
function withValue(object: Raw, path: readonly string[], value: unknown): Raw {
  const [head, ...rest] = path;
  if (head === undefined) return object;
  const inner = object[head];
  return { ...object, [head]: rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value) };
}

/** Which variable or file a path's value came from: the strongest override at it, above it or below it. */
function sourcesOf(overrides: readonly EnvOverride[], file: string): SourceOf {
  return (path) => {
    const names = path.map(String);
    const touches = (o: EnvOverride): boolean =>
      o.path.slice(0, names.length).every((part, i) => part === names[i]) && o.path.length <= names.length;
    return overrides.findLast(touches)?.variable ?? file;
  };
}

function parseSections(raw: Raw, sourceOf: SourceOf): { value: Partial<ParsedConfig>; problems: ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const value: Raw = {};
  const known = Object.keys(sections);
  const keysAt = (path: readonly PropertyKey[]): readonly string[] => Object.keys(nodeAt(path)?.properties ?? {});
  for (const key of Object.keys(raw)) {
    if (!known.includes(key)) problems.push(unknownKey([key], key, known, sourceOf));
  }
  for (const name of known as SectionName[]) {
    // `section:` with nothing below it is null in YAML: every key of it has its default.
    const parsed = sections[name].safeParse(Object.hasOwn(raw, name) ? (raw[name] ?? undefined) : undefined);
    if (parsed.success) value[name] = parsed.data;
    else problems.push(...problemsOf(parsed.error, [name], sourceOf, keysAt));
  }
  return { value: value as Partial<ParsedConfig>, problems };
}

const ADDED_SHARE = 0.8;
const CALL_TIMEOUT_MS = 40;

function resolveDefaults(parsed: ParsedConfig, env: Env): AppConfig {
  const callMs = Math.max(1, Math.floor(Math.min(CALL_TIMEOUT_MS, parsed.limits.addedLatencyMs * ADDED_SHARE)));
  const { baseUrl, apiKey } = parsed.upstream;
  const upstream =
    baseUrl === undefined && apiKey !== undefined
      ? { ...parsed.upstream, baseUrl: 'https://api.openai.com/v1' }
      : parsed.upstream;
  return {
    ...parsed,
    upstream,
    redis: { ...parsed.redis, commandTimeoutMs: parsed.redis.commandTimeoutMs ?? callMs },
    embedding: {
      ...parsed.embedding,
      timeoutMs: parsed.embedding.timeoutMs ?? callMs,
      hang: hangOf(env['REPRISE_TEST_EMBEDDER_HANG']),
    },
  };
}

function hangOf(text: string | undefined): boolean | string {
  if (!text || /^(0|false|no|off)$/i.test(text)) return false;
  return /^(1|true|yes|on)$/i.test(text) ? true : text;
}
