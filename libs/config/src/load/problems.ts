import type { z } from 'zod';
import { nearest } from './did-you-mean.js';
import { safeName } from './safe-name.js';

/** One broken rule of the configuration. It never holds a value of the file or the environment. */
export interface ConfigProblem {
  /** Dotted path of the key, e.g. `cache.errorBudget` or `auth.tenants[2].keys[0]`; '' for the file itself. */
  readonly path: string;
  /** The rule that is broken, in words. */
  readonly rule: string;
  /** Where the value stands: the file's name or the environment variable. */
  readonly source: string;
}

export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? safeName(String(part)) : `${text}.${safeName(String(part))}`;
  }, '');
}

function sizeRule(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  const limit = issue.code === 'too_small' ? issue.minimum : issue.maximum;
  const word = issue.code === 'too_small' ? 'at least' : 'at most';
  if (issue.origin === 'string') return `must have ${word} ${String(limit)} characters`;
  if (issue.origin === 'array') return `must have ${word} ${String(limit)} members`;
  return `must be ${word} ${String(limit)}`;
}

/** The rule behind a zod issue. Messages of zod itself are not used, so that none can quote a value. */
function ruleOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message.startsWith('must')) return issue.message;
      return issue.input === undefined && /undefined/.test(issue.message)
        ? `is required: ${article(issue.expected)}`
        : `must be ${article(issue.expected)}`;
    case 'too_small':
    case 'too_big':
      return sizeRule(issue);
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return issue.message.startsWith('must') ? issue.message : `must match ${issue.pattern ?? issue.format}`;
    case 'custom':
      return issue.message;
    default:
      return 'is not valid';
  }
}

function article(expected: string): string {
  if (expected === 'int') return 'a whole number';
  if (expected === 'object') return 'a section (key: value)';
  if (expected === 'array') return 'a list';
  if (expected === 'boolean') return 'true or false';
  if (expected === 'string') return 'a text';
  return /^[aeio]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

/** Keys that a section, or an object inside it, may have. */
export type KnownKeys = (path: readonly PropertyKey[]) => readonly string[];

/** Every problem behind a zod error; unknown keys come one by one, with the nearest known key. */
export function problemsOf(
  error: z.ZodError,
  prefix: readonly PropertyKey[],
  sourceOf: (path: readonly PropertyKey[]) => string,
  knownKeys: KnownKeys,
): ConfigProblem[] {
  return error.issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => unknownKey([...path, key], key, knownKeys(path), sourceOf));
    }
    return [{ path: pathText(path), rule: ruleOf(issue), source: sourceOf(path) }];
  });
}

export function unknownKey(
  path: readonly PropertyKey[],
  key: string,
  known: readonly string[],
  sourceOf: (path: readonly PropertyKey[]) => string,
): ConfigProblem {
  const near = nearest(key, known);
  const hint = near ? `did you mean ${near}?` : `known here: ${known.join(', ')}`;
  return { path: pathText(path), rule: `is not a known key; ${hint}`, source: sourceOf(path) };
}

/** One line per problem, for the console. */
export function formatProblems(problems: readonly ConfigProblem[]): string {
  return problems.map((p) => `${p.source}: ${p.path ? `${p.path} ` : ''}${p.rule}`).join('\n');
}
