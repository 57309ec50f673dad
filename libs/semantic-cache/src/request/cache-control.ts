/** What a caller's Cache-Control header asks for; unknown directives are ignored (RFC 9111 §5.2). */
export interface CacheControl {
  readonly noCache: boolean;
  readonly noStore: boolean;
  readonly onlyIfCached: boolean;
  /** Largest accepted age in ms. */
  readonly maxAgeMs?: number;
}

export function parseCacheControl(header: string | undefined): CacheControl {
  let noCache = false;
  let noStore = false;
  let onlyIfCached = false;
  let maxAgeMs: number | undefined;
  for (const directive of (header ?? '').toLowerCase().split(',')) {
    const [name, value] = directive.trim().split('=', 2);
    if (name === 'no-cache') noCache = true;
    else if (name === 'no-store') noStore = true;
    else if (name === 'only-if-cached') onlyIfCached = true;
    else if (name === 'max-age' && value !== undefined && /^"?\d{1,10}"?$/.test(value)) {
      maxAgeMs = Number(value.replaceAll('"', '')) * 1000;
    }
  }
  return { noCache, noStore, onlyIfCached, ...(maxAgeMs === undefined ? {} : { maxAgeMs }) };
}
