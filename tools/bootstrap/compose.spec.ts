import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createContext, repoRoot } from './context.mjs';

const read = (name: string) => readFileSync(join(repoRoot, name), 'utf8');

describe('docker-compose.yml', () => {
  it('runs the pinned Redis image with our settings, two gateways and a worker, with health checks and volumes', () => {
    const text = read('docker-compose.yml');
    expect(text).toContain(`image: ${createContext().pins.redis.docker.image}\n`);
    expect(text).toContain('./redis/conf/reprise.conf:/usr/local/etc/redis/reprise.conf:ro');
    for (const service of ['redis', 'model', 'gateway-a', 'gateway-b', 'worker'])
      expect(text).toMatch(new RegExp(`^  ${service}:`, 'm'));
    expect(text.match(/healthcheck:/g)?.length).toBe(3);
    expect(text).toMatch(/^volumes:/m);
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
