import { describe, expect, it } from 'vitest';
import type { AppConfig } from '@reprise/config';
import { seedOf, seedSecret } from './seed-secret.js';

const config = (url: string, apiKey?: string, adminTokenHash?: string) =>
  ({
    redis: { url },
    auth: adminTokenHash === undefined ? {} : { adminTokenHash },
    upstream: apiKey === undefined ? {} : { apiKey },
  }) as unknown as AppConfig;

describe('the secret of seeds', () => {
  it('is the same in every process with the same configuration', () => {
    expect(seedSecret(config('redis://a', 'k', 'h'))).toBe(seedSecret(config('redis://a', 'k', 'h')));
  });

  it('is another one where a secret of the configuration is another', () => {
    const secrets = [
      config('redis://a'),
      config('redis://:p@a'),
      config('redis://a', 'k'),
      config('redis://a', '', 'k'),
    ];
    expect(new Set(secrets.map(seedSecret)).size).toBe(4);
  });

  it('gives each request of each namespace a seed of 31 bits', () => {
    const seeds = ['r1', 'r2'].flatMap((request) => ['a', 'b'].map((ns) => seedOf('s', ns, request)));
    expect(new Set(seeds).size).toBe(4);
    for (const seed of seeds) expect(seed >= 0 && seed < 2 ** 31 && Number.isInteger(seed)).toBe(true);
    expect(seedOf('s', 'a', 'r1')).toBe(seeds[0]);
    expect(seedOf('t', 'a', 'r1')).not.toBe(seeds[0]);
  });
});
