import { describe, expect, it } from 'vitest';
import { parseCacheControl } from './cache-control.js';

const none = { noCache: false, noStore: false, onlyIfCached: false };

describe('Cache-Control of a request', () => {
  it.each([
    [undefined, none],
    ['', none],
    ['no-cache', { ...none, noCache: true }],
    ['NO-STORE', { ...none, noStore: true }],
    ['only-if-cached, max-age=60', { ...none, onlyIfCached: true, maxAgeMs: 60_000 }],
    ['max-age="30"', { ...none, maxAgeMs: 30_000 }],
    ['max-age=0', { ...none, maxAgeMs: 0 }],
    ['max-age=-1', none],
    ['max-age=1e9', none],
    ['max-age', none],
    ['max-stale=5, something', none],
  ])('%s', (header, expected) => {
    expect(parseCacheControl(header)).toEqual(expected);
  });
});
