import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createContext, repoRoot } from './context.mjs';

const read = (name: string) => readFileSync(join(repoRoot, name), 'utf8');

interface Service {
  readonly image?: string;
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
}

describe('docker-compose.yml', () => {
  it('runs the pinned Redis image with our settings, two gateways and a worker, with health checks and volumes', () => {
    const file = parse(read('docker-compose.yml'), { merge: true }) as {
      services: Record<string, Service>;
      volumes: object;
    };
    const { redis, model, ...ours } = file.services;
    expect(redis?.image).toBe(createContext().pins.redis.docker.image);
    expect(redis?.volumes).toContain('./redis/conf/reprise.conf:/usr/local/etc/redis/reprise.conf:ro');
    expect(model?.volumes).toContain('model:/app/.cache/model');
    expect(Object.keys(ours)).toEqual(['gateway-a', 'gateway-b', 'worker']);
    for (const service of [redis, ...Object.values(ours)]) expect(service?.healthcheck?.test.length).toBeGreaterThan(1);
    expect(Object.keys(file.volumes)).toEqual(['redis', 'model', 'state']);
  });
});

describe('the files of the bootstrap', () => {
  it('name packages, never a registry’s host', () => {
    const files = [
      'docker-compose.yml',
      'Dockerfile',
      '.ci/run',
      ...readdirSync(join(repoRoot, 'tools', 'bootstrap')).map((n) => `tools/bootstrap/${n}`),
    ];
    const hosts = new RegExp(
      ['pypi', 'pythonhosted', 'npmjs', 'deb\\.debian', 'docker\\.io', 'ghcr']
        .map((h) => `${h}\\.?(org|com|io)?\\b`)
        .join('|'),
    );
    for (const file of files.filter((name) => !name.endsWith('compose.spec.ts')))
      expect(read(file), file).not.toMatch(hosts);
  });
});
