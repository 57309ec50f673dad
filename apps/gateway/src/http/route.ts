import type { IncomingHttpHeaders } from 'node:http';
import { canonicalJson } from '@reprise/kernel';
import { keyHeaderOf } from './caller.js';

/**
 * What chooses an answer beside the body, because the upstream sees it too: the query of the URL, and the request's
 * headers that `upstream.answerHeaders` names (`x-*`: all that begin so), the caller's own key apart: who shares is said
 * elsewhere. '' when there is none of them.
 */
export function routeOf(answerHeaders: readonly string[], url: string, headers: IncomingHttpHeaders): string {
  const at = url.indexOf('?');
  const query = at === -1 ? '' : url.slice(at + 1);
  const key = keyHeaderOf(headers);
  const named = Object.entries(headers).filter(
    ([name]) => name !== key && answerHeaders.some((pattern) => matches(pattern, name)),
  );
  return query === '' && named.length === 0 ? '' : canonicalJson([query, Object.fromEntries(named)]);
}

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
