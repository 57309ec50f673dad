import { describeConfig } from '@reprise/config';
import { markdownTable } from '../text.js';

/** The keys that most operators meet first. */
const KEYS = [
  'server.port',
  'upstream.baseUrl',
  'upstream.apiKey',
  'redis.url',
  'embedding.modelDir',
  'limits.addedLatencyMs',
  'cache.mode',
  'cache.sharing',
  'cache.coldStart',
  'cache.errorBudget',
  'cache.exactTtlMs',
  'cache.semanticTtlMs',
  'cache.maxAgeMs',
  'cache.capacity',
  'auth.tenants',
] as const;

/** The short table of the README. Throws when the configuration has lost one of its keys. */
export function shortConfiguration(): string {
  const known = new Map(describeConfig().flatMap(({ keys }) => keys.map((key) => [key.path, key] as const)));
  const rows = KEYS.map((path) => {
    const key = known.get(path);
    if (key === undefined)
      throw new Error(`the configuration has no ${path} any more: correct the README's short table`);
    const fallback = key.fallback === undefined || key.fallback === '[]' ? '–' : `\`${key.fallback}\``;
    return [`\`${path}\``, fallback, key.meaning, `\`${key.variables.at(-1) ?? ''}\``];
  });
  return markdownTable(['key', 'default', 'meaning', 'environment'], rows);
}
