import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppConfig } from '../app-config.js';
import type { Env } from './env-overrides.js';
import { loadConfig } from './load-config.js';
import { formatProblems } from './problems.js';

let cwd = '';
beforeEach(() => (cwd = mkdtempSync(join(tmpdir(), 'reprise-config-'))));
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const write = (yaml: string, name = 'reprise.yaml'): void => writeFileSync(join(cwd, name), yaml);

function good(env: Env = {}, file?: string): AppConfig {
  const loaded = loadConfig({ env, cwd, ...(file === undefined ? {} : { file }) });
  if (!loaded.ok) throw new Error(formatProblems(loaded.error));
  return loaded.value;
}

function bad(env: Env = {}, file?: string): string[] {
  const loaded = loadConfig({ env, cwd, ...(file === undefined ? {} : { file }) });
  return loaded.ok ? [] : formatProblems(loaded.error).split('\n');
}

describe('where values come from', () => {
  it('has every default without a file and with an empty one', () => {
    const plain = good();
    expect(plain.server).toMatchObject({ port: 8_080, bodyLimitBytes: 10_485_760, shutdownGraceMs: 15_000 });
    expect(plain.cache).toMatchObject({ mode: 'on', sharing: 'key', errorBudget: 0.05, maxAgeMs: 604_800_000 });
    for (const yaml of ['', '\n', '# nothing\n', '---\n', 'cache:\n', '{}']) {
      write(yaml);
      expect(good(), yaml).toEqual(plain);
    }
  });

  it('reads the file of the option, of REPRISE_CONFIG, and ./reprise.yaml, in this order', () => {
    write('server: {port: 1}');
    expect(good().server.port).toBe(1);
    write('server: {port: 2}', 'b.yaml');
    expect(good({ REPRISE_CONFIG: 'b.yaml' }).server.port).toBe(2);
    expect(good({ REPRISE_CONFIG: join(cwd, 'b.yaml') }).server.port).toBe(2);
    write('server: {port: 3}', 'c.yaml');
    expect(good({ REPRISE_CONFIG: 'b.yaml' }, 'c.yaml').server.port).toBe(3);
  });

  it.each([
    [{}, 'missing.yaml'],
    [{ REPRISE_CONFIG: 'missing.yaml' }, undefined],
  ])('a file that was asked for must exist (%j)', (env, file) => {
    expect(bad(env, file)).toEqual(['missing.yaml: does not exist']);
  });

  it('a folder in the place of the file is a problem, not a crash', () => {
    expect(bad({}, '.')).toEqual([expect.stringContaining('cannot be read (EISDIR)')]);
  });

  it('REPRISE_… goes over the short names, these over the file', () => {
    write('server: {port: 1}\nlog: {level: debug}\nredis: {url: "redis://file:1"}');
    expect(good().redis.url).toBe('redis://file:1');
    expect(good({ PORT: '2' }).server.port).toBe(2);
    expect(good({ PORT: '2', REPRISE_SERVER__PORT: '3' }).server.port).toBe(3);
    expect(good({ LOG_LEVEL: 'warn', REDIS_URL: 'redis://env:1' })).toMatchObject({
      log: { level: 'warn' },
      redis: { url: 'redis://env:1' },
    });
  });

  it('on and off are words in YAML, not booleans', () => {
    for (const mode of ['on', 'off'] as const) {
      write(`cache:\n  mode: ${mode}\n`);
      expect(good().cache.mode).toBe(mode);
    }
  });

  it.each([
    ['cache: {exactTtlMs: 15m}', (c: AppConfig) => c.cache.exactTtlMs, 900_000],
    ['cache: {exactTtlMs: 2 h}', (c: AppConfig) => c.cache.exactTtlMs, 7_200_000],
    ['cache: {exactTtlMs: 1500}', (c: AppConfig) => c.cache.exactTtlMs, 1_500],
    ['cache: {exactTtlMs: "1.5s"}', (c: AppConfig) => c.cache.exactTtlMs, 1_500],
    ['server: {bodyLimitBytes: 2MiB}', (c: AppConfig) => c.server.bodyLimitBytes, 2_097_152],
    ['server: {bodyLimitBytes: 64 kib}', (c: AppConfig) => c.server.bodyLimitBytes, 65_536],
  ])('%s', (yaml, read, value) => {
    write(yaml);
    expect(read(good())).toBe(value);
  });

  it('is frozen to the bottom', () => {
    write('auth: {tenants: [{name: a, keys: ["' + 'a'.repeat(64) + '"]}]}');
    const config = good();
    for (const part of [config, config.cache, config.cache.shares, config.auth.tenants, config.auth.tenants[0]?.keys]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
});

describe('resolved defaults', () => {
  it('an upstream key alone means the public API', () => {
    expect(good({ OPENAI_API_KEY: 'k' }).upstream.baseUrl).toBe('https://api.openai.com/v1');
    expect(good({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://x/v1' }).upstream.baseUrl).toBe('http://x/v1');
    expect(good().upstream.baseUrl).toBeUndefined();
  });

  it.each([
    [50, 40],
    [1_000, 40],
    [20, 16],
    [1, 1],
  ])('with %i ms of added latency a call may take %i ms', (addedLatencyMs, ms) => {
    const config = good({ REPRISE_LIMITS__ADDEDLATENCYMS: String(addedLatencyMs) });
    expect([config.embedding.timeoutMs, config.redis.commandTimeoutMs]).toEqual([ms, ms]);
  });

  it.each([
    [undefined, false],
    ['0', false],
    ['1', true],
    ['true', true],
    ['some/file', 'some/file'],
  ])('the test hook REPRISE_TEST_EMBEDDER_HANG=%s is %s', (value, hang) => {
    expect(good({ REPRISE_TEST_EMBEDDER_HANG: value }).embedding.hang).toBe(hang);
  });
});

describe('bad files', () => {
  it('names every bad path with its rule, over all sections at once', () => {
    write(`
server: {prot: 1, port: abc, shutdownGraceMs: 5 weeks}
cache: {errorBudgt: 0.2, errorBudget: 7, shares: {planned: .9}, mode: sometimes, singleFlight: {leaseMs: 1}}
prices: [{model: 3, inputPerMTokUsd: -1}]
auth: {tenants: [{name: "Not OK", keys: []}]}
upstrem: {}
redis: [1]
`);
    expect(bad()).toEqual([
      'reprise.yaml: upstrem is not a known key; did you mean upstream?',
      'reprise.yaml: server.port must be a number',
      'reprise.yaml: server.shutdownGraceMs must be a number of milliseconds or a text such as 15m or 7d',
      'reprise.yaml: server.prot is not a known key; did you mean port?',
      'reprise.yaml: redis must be a section (key: value)',
      'reprise.yaml: cache.mode must be one of on, off, shadow, read_only, write_only',
      'reprise.yaml: cache.errorBudget must be at most 0.5',
      'reprise.yaml: cache.shares the three shares must add up to 1',
      'reprise.yaml: cache.singleFlight.leaseMs must be at least 100',
      'reprise.yaml: cache.errorBudgt is not a known key; did you mean errorBudget?',
      'reprise.yaml: auth.tenants[0].name must be 1 to 63 of a-z, 0-9, - and _, beginning with a letter or digit',
      'reprise.yaml: auth.tenants[0].keys must have at least 1 members',
      'reprise.yaml: prices[0].model must be a text',
      'reprise.yaml: prices[0].inputPerMTokUsd must be at least 0',
      'reprise.yaml: prices[0].outputPerMTokUsd is required: a number',
    ]);
  });

  it.each([
    ['- a\n- b', 'must hold sections'],
    ['just text', 'must hold sections'],
    ['a: 1\n---\nb: 2', 'one YAML document'],
    ['server: {port: 1', 'not valid YAML'],
    ['server:\n\tport: 1', 'not valid YAML'],
    ['server: {port: 1}\nserver: {port: 2}', 'DUPLICATE_KEY'],
    ['server: *nothing', 'not valid YAML'],
    ['x'.repeat(1_100_000), 'smaller than 1 MiB'],
  ])('%.30j', (yaml, rule) => {
    write(yaml);
    const problems = bad();
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.join()).toContain(rule);
  });

  it('an alias bomb is refused', () => {
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]'];
    for (let i = 1; i < 9; i += 1) bomb.push(`k${i}: &k${i} [${`*${i === 1 ? 'a' : `k${i - 1}`},`.repeat(9)}]`);
    write(bomb.join('\n'));
    expect(bad().join()).toContain('alias');
  });

  it.each(['__proto__: {port: 1}', 'constructor: {a: 1}', 'server: {__proto__: {port: 5}}', 'toString: 1'])(
    '%s is an unknown key and changes nothing',
    (yaml) => {
      write(yaml);
      expect(bad().join()).toContain('is not a known key');
      expect(({} as { port?: number }).port).toBeUndefined();
    },
  );

  it.each([
    ['embedding: {timeoutMs: 60}', 'embedding.timeoutMs must be at most limits.addedLatencyMs'],
    ['redis: {commandTimeoutMs: 51}', 'redis.commandTimeoutMs must be at most limits.addedLatencyMs'],
    ['limits: {addedLatencyMs: 10}\nembedding: {timeoutMs: 11}', 'embedding.timeoutMs must be at most'],
    ['redis: {url: "http://x"}', 'redis.url must be a redis:// or rediss:// URL'],
    ['redis: {cluster: ["redis://a:1", b]}', 'redis.cluster[1] must be a redis://'],
    ['upstream: {baseUrl: "http://u:p@x/v1"}', 'must be an http(s) URL without user'],
    ['upstream: {baseUrl: "ftp://x"}', 'must be an http(s) URL'],
    ['cache: {volatileMasks: [{name: a, pattern: "("}]}', 'cache.volatileMasks[0].pattern must be a JavaScript'],
    ['cache: {volatileMasks: [{name: a, pattern: "x*"}]}', 'does not match the empty text'],
    ...['(a+)+$', '(a|aa)+$', '([a-z]+)*x', '(x+x+)+y', 'a?'.repeat(16) + 'b'].map((pattern): [string, string] => [
      `cache: {volatileMasks: [{name: a, pattern: "${pattern}"}]}`,
      'cache.volatileMasks[0].pattern must have a bounded time',
    ]),
    ['cache: {guards: {disabled: [nubmer]}}', 'cache.guards.disabled[0] must be one of'],
    ['cache: {guards: {droppable: {en: [Acme]}}}', 'cache.guards.droppable.en[0] must be one word in lower case'],
    ['cache: {guards: {droppable: {en: [my acme]}}}', 'cache.guards.droppable.en[0] must be one word in lower case'],
    ['cache: {guards: {droppable: {fr: [acme]}}}', 'cache.guards.droppable.fr'],
    [
      'cache: {guards: {droppable: {en: [a1, acme], de: []}, extraWords: [acme]}}',
      'cache.guards.droppable.en[1] is in extraWords too',
    ],
    ['cache: {guards: {synonyms: {en: [[archive]]}}}', 'cache.guards.synonyms.en[0] must'],
    [
      'cache: {guards: {synonyms: {de: [[kündigen, "5"]]}}}',
      'cache.guards.synonyms.de[0][1] must be one word in lower case',
    ],
    ['cache: {guards: {synonyms: {en: archive}}}', 'cache.guards.synonyms.en must'],
    ['server: {port: 70000}', 'server.port must be at most 65535'],
    ['server: {port: 1.5}', 'server.port must be a whole number'],
    ['limits: {jsonDepth: .nan}', 'limits.jsonDepth must be a number'],
    ['cache: {capacity: .inf}', 'cache.capacity must be'],
  ])('%s', (yaml, rule) => {
    write(yaml);
    expect(bad().join('\n')).toContain(rule);
  });

  it('two tenants with one name, and a key that is listed twice, are named', () => {
    const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];
    write(`auth: {tenants: [{name: x, keys: ["${a}"]}, {name: x, keys: ["${b}", "${a}"]}]}`);
    expect(bad()).toEqual([
      'reprise.yaml: auth.tenants[1].name is the name of another tenant too',
      'reprise.yaml: auth.tenants[1].keys[1] is listed twice',
    ]);
  });
});
