import { RepriseError } from '@reprise/kernel';
import { DeadlineExceeded } from './deadline.js';
import type { CacheDependencies } from './dependencies.js';

/** The word for a cache that failed one request; counted, and logged when the failure is not a known one. */
export function degradedReason(
  deps: Pick<CacheDependencies, 'telemetry' | 'log'>,
  error: unknown,
): 'cache-slow' | 'cache-unavailable' {
  if (error instanceof DeadlineExceeded) {
    deps.telemetry.count('reprise_degraded_total', { mode: 'deadline' });
    return 'cache-slow';
  }
  deps.telemetry.count('reprise_degraded_total', { mode: 'cache-unavailable' });
  const expected = error instanceof RepriseError && error.code === 'RP_ERR_CACHE_UNAVAILABLE';
  if (!expected)
    deps.log.write('error', 'the cache failed', { error: error instanceof Error ? error.message : String(error) });
  return 'cache-unavailable';
}
