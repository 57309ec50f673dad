import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redactConfig } from '../reference/redact-config.js';
import { configKeys } from '../schema/flatten.js';
import { variableOf } from './env-overrides.js';
import { loadConfig } from './load-config.js';
import { formatProblems } from './problems.js';

let cwd = '';
beforeAll(() => (cwd = mkdtempSync(join(tmpdir(), 'reprise-secrets-'))));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** What is printed for a file and an environment. */
function printed(yaml: string, env: Record<string, string>): string {
  writeFileSync(join(cwd, 'reprise.yaml'), yaml);
  const loaded = loadConfig({ env, cwd });
  return loaded.ok ? JSON.stringify(redactConfig(loaded.value)) : formatProblems(loaded.error);
}

const secret = fc
  .tuple(fc.constantFrom('sk-', 'sk-proj-', 'Bearer ', ''), fc.stringMatching(/^[A-Za-z0-9]{24}$/))
  .filter(([, tail]) => /\d/.test(tail))
  .map(([head, tail]) => head + tail);

describe('a value is never printed', () => {
  it('by the problems of any key of the environment, nor from a secret key that is accepted', () => {
    fc.assert(
      fc.property(fc.constantFrom(...configKeys()), secret, ({ path, node }, text) => {
        const loaded = loadConfig({ env: { [variableOf(path)]: text }, cwd: join(cwd, 'none') });
        if (loaded.ok && node.secret !== true) return;
        const shown = loaded.ok ? JSON.stringify(redactConfig(loaded.value)) : formatProblems(loaded.error);
        expect(shown).not.toContain(text.slice(-24));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['a key in the wrong section', (s: string) => `server: {port: ${s}}`],
    ['in the place of a name', (s: string) => `upstream: {${s}: 1}`],
    ['in the place of a section', (s: string) => `${s}: {a: 1}`],
    ['as the whole file', (s: string) => s],
    ['in a list of hashes', (s: string) => `auth: {tenants: [{name: a, keys: [${s}]}]}`],
    ['in a broken line', (s: string) => `upstream: {apiKey: ${s}\nserver: [`],
    ['after a broken escape', (s: string) => `upstream: {apiKey: "\\q${s}"}`],
    ['as an alias', (s: string) => `upstream: {apiKey: *${s}}`],
    ['as a tag', (s: string) => `upstream: {apiKey: !<${s}> x}`],
    ['as a URL password', (s: string) => `redis: {url: "redis://user:${s}@host:1"}`],
    ['as the password of a bad URL', (s: string) => `redis: {url: "rediss//user:${s}@host:1"}`],
    ['in a base URL', (s: string) => `upstream: {baseUrl: "https://${s}@host/v1"}`],
    ['as a regular expression', (s: string) => `cache: {volatileMasks: [{name: a, pattern: "(${s}"}]}`],
    ['where it belongs', (s: string) => `upstream: {apiKey: ${s}}`],
  ])('%s', (_name, yaml) => {
    for (const text of ['sk-proj-4f9Qz81LmNc03PqRsTuVwXyZ', 'a8D3k0Zq91LmNc03PqRsTuVw']) {
      expect(printed(yaml(text), {})).not.toContain(text.slice(-20));
    }
  });

  it('a printable configuration keeps the host of a URL and every value that is no secret', () => {
    const loaded = loadConfig({
      env: { REDIS_URL: 'redis://user:secret-word@redis.internal:6380/2', OPENAI_API_KEY: 'sk-abc', PORT: '81' },
      cwd: join(cwd, 'none'),
    });
    if (!loaded.ok) throw new Error(formatProblems(loaded.error));
    expect(redactConfig(loaded.value)).toMatchObject({
      redis: { url: 'redis://***@redis.internal:6380/2' },
      upstream: { apiKey: '(set, not shown)' },
      server: { port: 81 },
    });
  });
});
