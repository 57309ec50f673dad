import { describe, expect, it } from 'vitest';
import { loadConfig } from '../load/load-config.js';
import { formatProblems } from '../load/problems.js';
import { effectivePolicy, parseNamespacePolicy, policyForRoute, sharingOf } from './effective-policy.js';

function configOf(env: Record<string, string>) {
  const loaded = loadConfig({ env, cwd: '/nowhere-at-all' });
  if (!loaded.ok) throw new Error(formatProblems(loaded.error));
  return loaded.value;
}

const tenants = JSON.stringify([
  { name: 'shop', keys: ['a'.repeat(64)], mode: 'shadow', errorBudget: 0.01, sharing: 'tenant' },
  { name: 'lab', keys: ['b'.repeat(64)], maxAgeMs: '1h', guards: { disabled: ['tense'] } },
]);
const config = configOf({ REPRISE_AUTH__TENANTS: tenants, REPRISE_CACHE__CAPACITY: '77' });

describe('effectivePolicy', () => {
  it('is the cache section for tenants that set nothing', () => {
    const { sharing: _sharing, ...cache } = config.cache;
    for (const name of [undefined, '', 'k-0123', 'anonymous']) expect(effectivePolicy(config, name)).toEqual(cache);
  });

  it('is plain JSON without names, keys or sharing', () => {
    for (const name of [undefined, 'shop', 'lab']) {
      const policy = effectivePolicy(config, name);
      expect(JSON.parse(JSON.stringify(policy))).toEqual(policy);
      for (const key of ['name', 'keys', 'sharing']) expect(policy).not.toHaveProperty(key);
    }
  });

  it('has what the tenant sets over it, and only that', () => {
    const base = effectivePolicy(config);
    expect(effectivePolicy(config, 'shop')).toEqual({ ...base, mode: 'shadow', errorBudget: 0.01 });
    expect(effectivePolicy(config, 'lab').guards).toEqual({
      disabled: ['tense'],
      extraWords: [],
      synonyms: {},
      droppable: {},
    });
    expect(effectivePolicy(config, 'lab').capacity).toBe(77);
  });

  it('no time to live is longer than the absolute age', () => {
    expect(effectivePolicy(config, 'lab')).toMatchObject({
      maxAgeMs: 3_600_000,
      exactTtlMs: 3_600_000,
      semanticTtlMs: 3_600_000,
    });
    expect(effectivePolicy(configOf({ REPRISE_CACHE__MAXAGEMS: '5000' }))).toMatchObject({ exactTtlMs: 5_000 });
  });

  it.each([
    ['shop', 'tenant'],
    ['lab', 'key'],
    ['nobody', 'key'],
  ])('%s shares by %s', (name, sharing) => {
    expect(sharingOf(config, name)).toBe(sharing);
  });
});

describe('parseNamespacePolicy', () => {
  const base = effectivePolicy(config);

  it('takes a whole policy and a part of one', () => {
    expect(parseNamespacePolicy(JSON.stringify(base), base)).toEqual({ ok: true, value: base });
    expect(parseNamespacePolicy('{"mode":"off"}', base)).toEqual({ ok: true, value: { ...base, mode: 'off' } });
    expect(parseNamespacePolicy('{}', base)).toEqual({ ok: true, value: base });
    expect(parseNamespacePolicy('{"exactTtlMs":"2h"}', base)).toMatchObject({
      ok: true,
      value: { exactTtlMs: 7_200_000 },
    });
  });

  it.each([
    ['', 'must be JSON'],
    ['{', 'must be JSON'],
    ['[]', 'must be a section'],
    ['null', 'must be a section'],
    ['{"mode":"sometimes"}', 'mode must be one of'],
    ['{"errorBudget":0.9,"capacity":0}', 'errorBudget must be at most 0.5'],
    ['{"errorBudget":0.9,"capacity":0}', 'capacity must be at least 1'],
    ['{"mod":"on"}', 'did you mean mode?'],
    ['{"sharing":"global"}', 'sharing is not a known key'],
    ['{"shares":{"planned":1}}', 'must add up to 1'],
  ])('%s is refused', (text, rule) => {
    const parsed = parseNamespacePolicy(text, base);
    expect(parsed.ok ? '' : formatProblems(parsed.error)).toContain(rule);
  });
});

describe('policyForRoute', () => {
  const routes = JSON.stringify([
    { path: '/v1/embeddings', mode: 'off' },
    { model: 'gpt-4o*', maxAgeMs: 60_000 },
    { model: '*', errorBudget: 0.02 },
  ]);
  const policy = effectivePolicy(configOf({ REPRISE_CACHE__ROUTES: routes }));

  it.each([
    ['/v1/embeddings', 'gpt-4o', { mode: 'off', maxAgeMs: policy.maxAgeMs }],
    ['/v1/chat/completions', 'gpt-4o-mini', { mode: 'on', maxAgeMs: 60_000, exactTtlMs: 60_000, errorBudget: 0.05 }],
    ['/v1/chat/completions', 'other', { errorBudget: 0.02 }],
  ])('%s %s: the first match is taken', (path, model, part) => {
    expect(policyForRoute(policy, { path, model })).toMatchObject(part);
  });

  it('without a match it is the policy itself', () => {
    const plain = effectivePolicy(config);
    expect(policyForRoute(plain, { path: '/x', model: 'y' })).toBe(plain);
  });
});

describe('volatileMasks of a stored policy', () => {
  const parsed = (pattern: string) =>
    parseNamespacePolicy(JSON.stringify({ volatileMasks: [{ name: 'a', pattern }] }), effectivePolicy(config));

  it.each(['(a+)+$', '(a|a)*b', '(?:x|(?:y|yy))+z'])('%s is refused: its time could grow without bound', (pattern) => {
    const reply = parsed(pattern);
    expect(reply.ok ? '' : reply.error[0]?.rule).toContain('must have a bounded time');
  });

  it.each([
    'shift no\\. \\d+',
    '[0-9a-f-]{36}',
    '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d',
    '\\b17\\d{8}\\b',
    'abc-def-\\S+',
    '(?:mon|tue)day, \\p{L}+',
    '[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}',
    '\\b(?:req|request|trace)[-_ ]?id\\s*[:=]\\s*\\S{6,}',
  ])('%s is taken', (pattern) => {
    expect(parsed(pattern).ok).toBe(true);
  });
});
