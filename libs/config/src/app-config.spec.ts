import { describe, expect, it } from 'vitest';
import { acceptsAnyKey, listenHost, tenantNamed, tenantOfKey, upstreamKind } from './app-config.js';
import { loadConfig } from './load/load-config.js';
import { formatProblems } from './load/problems.js';

function configOf(env: Record<string, string>) {
  const loaded = loadConfig({ env, cwd: '/nowhere-at-all' });
  if (!loaded.ok) throw new Error(formatProblems(loaded.error));
  return loaded.value;
}

const hash = (letter: string): string => letter.repeat(64);
const tenants = JSON.stringify([
  { name: 'x', keys: [hash('a'), hash('b')] },
  { name: 'y', keys: [hash('c')] },
]);

describe('upstreamKind', () => {
  it.each([
    [{}, 'demo'],
    [{ OPENAI_API_KEY: 'k' }, 'openai'],
    [{ OPENAI_BASE_URL: 'http://local/v1' }, 'openai'],
    [{ OPENAI_API_KEY: '' }, 'demo'],
  ])('%j: %s', (env, kind) => {
    expect(upstreamKind(configOf(env))).toBe(kind);
  });
});

describe('listenHost', () => {
  it.each([
    [{}, '0.0.0.0', false],
    [{ OPENAI_API_KEY: 'k' }, '127.0.0.1', true],
    [{ OPENAI_API_KEY: 'k', REPRISE_AUTH__TENANTS: tenants }, '0.0.0.0', false],
    [{ OPENAI_BASE_URL: 'http://local/v1' }, '0.0.0.0', false],
    [{ OPENAI_API_KEY: 'k', REPRISE_SERVER__HOST: '::' }, '::', true],
  ])('%j: %s', (env, host, open) => {
    const config = configOf(env);
    expect([listenHost(config), acceptsAnyKey(config)]).toEqual([host, open]);
  });
});

describe('tenants', () => {
  const config = configOf({ REPRISE_AUTH__TENANTS: tenants });

  it.each([
    [hash('a'), 'x'],
    [hash('b'), 'x'],
    [hash('c'), 'y'],
    [hash('d'), undefined],
    ['', undefined],
    ['__proto__', undefined],
  ])('key %.6s… is of %s', (key, name) => {
    expect(tenantOfKey(config, key)?.name).toBe(name);
  });

  it('are found by name', () => {
    expect(tenantNamed(config, 'y')?.keys).toEqual([hash('c')]);
    expect(tenantNamed(config, 'z')).toBeUndefined();
  });
});
