import { readFileSync } from 'node:fs';
import { err, ok, type Result } from '@reprise/kernel';
import { LineCounter, parseAllDocuments } from 'yaml';
import type { ConfigProblem } from './problems.js';

const MAX_CHARS = 1_048_576;

/** Parses YAML to a plain object. Problems name the line and yaml's error code, never text of the file. */
export function parseYamlObject(text: string, source: string): Result<Record<string, unknown>, ConfigProblem[]> {
  const fail = (...rules: string[]) => err(rules.map((rule) => ({ path: '', rule, source })));
  if (text.length > MAX_CHARS) return fail('must be smaller than 1 MiB');
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, {
    prettyErrors: false,
    lineCounter: lines,
    uniqueKeys: true,
    logLevel: 'silent',
  });
  const document = Array.isArray(documents) ? documents[0] : undefined;
  if (!document) return ok({});
  if (documents.length > 1) return fail('must hold one YAML document');
  if (document.errors.length > 0) {
    return fail(
      ...document.errors.map((error) => {
        const { line, col } = lines.linePos(error.pos[0]);
        return `is not valid YAML: ${error.code} at line ${line}, column ${col}`;
      }),
    );
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 50 });
  } catch {
    return fail('is not valid YAML: an alias that cannot be resolved, or too many of them');
  }
  if (value === null || value === undefined) return ok({});
  if (typeof value !== 'object' || Array.isArray(value))
    return fail('must hold sections (key: value), not a list or a text');
  return ok(value as Record<string, unknown>);
}

/** Reads a file; undefined when there is none. */
export function readConfigFile(path: string, source: string): Result<string | undefined, ConfigProblem[]> {
  try {
    return ok(readFileSync(path, 'utf8'));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unreadable';
    if (code === 'ENOENT') return ok(undefined);
    return err([{ path: '', rule: `cannot be read (${code})`, source }]);
  }
}
