import { describe, expect, it } from 'vitest';
import { configKeys } from '../schema/flatten.js';
import { envOverrides, variableOf } from './env-overrides.js';
import { loadConfig } from './load-config.js';
import { formatProblems } from './problems.js';

const load = (env: Record<string, string>) => loadConfig({ env, cwd: '/nowhere-at-all' });
const problems = (env: Record<string, string>): string => {
  const loaded = load(env);
  return loaded.ok ? '' : formatProblems(loaded.error);
};

describe('names', () => {
  it.each([
    'REPRISE_CACHE__ERRORBUDGET',
    'REPRISE_CACHE__ERROR_BUDGET',
    'REPRISE_cache__errorBudget',
    'REPRISE_Cache__Error_Budget',
  ])('%s is cache.errorBudget', (name) => {
    expect(load({ [name]: '0.2' })).toMatchObject({ ok: true, value: { cache: { errorBudget: 0.2 } } });
  });

  it('reaches every key there is by the name that the reference page gives', () => {
    for (const key of configKeys()) {
      const variable = variableOf(key.path);
      const { overrides, problems: unknown } = envOverrides({ [variable]: 'x' });
      expect({ variable, path: overrides[0]?.path, unknown }).toEqual({ variable, path: key.path, unknown: [] });
    }
  });

  it('no two keys have names that differ only in case and underscores', () => {
    const names = configKeys().map((key) => variableOf(key.path).replaceAll(/_/g, ''));
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    ['REPRISE_CACHE__ERORBUDGET', 'did you mean REPRISE_CACHE__ERROR_BUDGET?'],
    ['REPRISE_CASHE__MODE', 'did you mean REPRISE_CACHE__MODE?'],
    ['REPRISE_SERVER_PORT', 'joined by two underscores: REPRISE_SERVER__PORT'],
    ['REPRISE_CACHE_SINGLE_FLIGHT_LEASE_MS', 'REPRISE_CACHE__SINGLE_FLIGHT__LEASE_MS'],
    ['REPRISE_QQQ__ZZZ', 'is not a key of the configuration'],
  ])('%s: %s', (name, hint) => {
    expect(problems({ [name]: '1' })).toContain(hint);
  });

  it.each(['REPRISE_MODEL_DIR', 'REPRISE_CONFIG_OLD', 'REPRISE_CACHE_DIR', 'REPRISE_DATA_DIR', 'PATH', 'OPENAI_ORG'])(
    '%s is not taken for a key',
    (name) => {
      expect(problems({ [name]: 'anything' })).toBe('');
    },
  );

  it('two spellings of one key at once are a problem', () => {
    expect(problems({ REPRISE_CACHE__ERRORBUDGET: '.1', REPRISE_CACHE__ERROR_BUDGET: '.2' })).toContain('is set twice');
  });
});

describe('values', () => {
  it.each([
    ['REPRISE_SERVER__PORT', '0', { server: { port: 0 } }],
    ['REPRISE_SERVER__TRUSTPROXY', 'yes', { server: { trustProxy: true } }],
    ['REPRISE_SERVER__TRUSTPROXY', 'OFF', { server: { trustProxy: false } }],
    ['REPRISE_CACHE__ERRORBUDGET', '1e-2', { cache: { errorBudget: 0.01 } }],
    ['REPRISE_CACHE__EXACTTTLMS', '36h', { cache: { exactTtlMs: 129_600_000 } }],
    ['REPRISE_CACHE__MODE', ' shadow ', { cache: { mode: 'shadow' } }],
    ['REPRISE_CACHE__GUARDS__DISABLED', 'tense, modal', { cache: { guards: { disabled: ['tense', 'modal'] } } }],
    ['REPRISE_CACHE__GUARDS__EXTRA_WORDS', '["a, b","c"]', { cache: { guards: { extraWords: ['a, b', 'c'] } } }],
    [
      'REPRISE_CACHE__GUARDS__DROPPABLE__EN',
      'acme, zenith',
      { cache: { guards: { droppable: { en: ['acme', 'zenith'] } } } },
    ],
    [
      'REPRISE_CACHE__GUARDS__SYNONYMS',
      '{"en":[["archive","shelve"]],"de":[["kündigen","beenden"]]}',
      { cache: { guards: { synonyms: { en: [['archive', 'shelve']], de: [['kündigen', 'beenden']] } } } },
    ],
    ['REPRISE_REDIS__CLUSTER', 'redis://a:1,redis://b:2', { redis: { cluster: ['redis://a:1', 'redis://b:2'] } }],
    [
      'REPRISE_PRICES',
      '[{"model":"m","inputPerMTokUsd":1,"outputPerMTokUsd":2}]',
      { prices: [{ model: 'm', inputPerMTokUsd: 1, outputPerMTokUsd: 2 }] },
    ],
    ['REPRISE_CACHE__SHARES', '{"planned":1,"protected":0,"recency":0}', { cache: { shares: { planned: 1 } } }],
    ['REPRISE_UPSTREAM__DEMO__FIRSTTOKENMS', '5', { upstream: { demo: { firstTokenMs: 5 } } }],
    ['REPRISE_UPSTREAM__APIKEY', '12345', { upstream: { apiKey: '12345' } }],
    ['REPRISE_SERVER__HOST', 'true', { server: { host: 'true' } }],
  ])('%s=%s', (name, text, part) => {
    expect(load({ [name]: text })).toMatchObject({ ok: true, value: part });
  });

  it('a single key goes over its object, whichever name sorts first', () => {
    const shares = '{"planned":0.2,"protected":0.2,"recency":0.6}';
    const env = {
      REPRISE_CACHE__SHARES: shares,
      REPRISE_CACHE__SHARES__PLANNED: '.4',
      REPRISE_CACHE__SHARES__RECENCY: '.4',
    };
    expect(load(env)).toMatchObject({
      ok: true,
      value: { cache: { shares: { planned: 0.4, protected: 0.2, recency: 0.4 } } },
    });
  });

  it('an empty variable counts as not set', () => {
    expect(load({ PORT: '', REPRISE_SERVER__PORT: '', OPENAI_API_KEY: '', REPRISE_CONFIG: '' })).toMatchObject({
      ok: true,
      value: { server: { port: 8_080 } },
    });
  });

  it.each([
    ['REPRISE_SERVER__PORT', 'eighty', 'REPRISE_SERVER__PORT: server.port must be a number'],
    ['PORT', '99999', 'PORT: server.port must be at most 65535'],
    ['REPRISE_SERVER__TRUST_PROXY', 'maybe', 'server.trustProxy must be true or false'],
    ['REPRISE_PRICES', '[{', 'REPRISE_PRICES: prices must be a list'],
    ['REPRISE_AUTH__TENANTS', 'a,b', 'REPRISE_AUTH__TENANTS: auth.tenants[0] must be a section'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL: log.level must be one of fatal, error'],
    ['REDIS_URL', 'localhost:6379', 'REDIS_URL: redis.url must be a redis://'],
    ['OPENAI_BASE_URL', 'api', 'OPENAI_BASE_URL: upstream.baseUrl must be an http(s) URL'],
  ])('%s=%s names the variable', (name, text, rule) => {
    expect(problems({ [name]: text })).toContain(rule);
  });
});
