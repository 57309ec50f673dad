import { nodeAt } from '../schema/flatten.js';

const HIDDEN = '(set, not shown)';

/** A configuration as it may be printed: secrets are replaced, also those in lists. */
export function redactConfig(value: unknown, path: readonly PropertyKey[] = []): unknown {
  if (value !== undefined && nodeAt(path)?.secret === true) return hidden(value);
  if (Array.isArray(value)) return value.map((member, i) => redactConfig(member, [...path, i]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, redactConfig(member, [...path, key])]));
}

/** A URL keeps its host, because `config check` is for finding the wrong one; anything else is hidden whole. */
function hidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hidden);
  if (typeof value === 'string' && URL.canParse(value)) {
    const url = new URL(value);
    const login = url.username || url.password ? '***@' : '';
    if (url.host) return `${url.protocol}//${login}${url.host}${url.pathname}`;
  }
  return HIDDEN;
}
