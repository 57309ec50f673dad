import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@reprise/config';
import { describe, expect, it } from 'vitest';
import { run } from '../run.js';
import { recordedIo } from '../testing.js';

const folder = (): string => mkdtempSync(join(tmpdir(), 'reprise-cli-'));
const secret = 'sk-very-secret-0123456789';

async function check(env: Record<string, string>, file?: string, cwd = folder()) {
  const io = recordedIo({ env, cwd });
  const code = await run(['config', 'check', ...(file === undefined ? [] : [file])], io);
  return { code, ...io.written };
}

describe('config check', () => {
  it('prints a configuration that says the same when it is loaded', async () => {
    const cwd = folder();
    const env = { REPRISE_CACHE__CAPACITY: '77', REPRISE_CACHE__MODE: 'on', PORT: '9' };
    const { code, out } = await check(env, undefined, cwd);
    expect(code).toBe(0);
    writeFileSync(join(cwd, 'printed.yaml'), out);
    expect(loadConfig({ env: {}, cwd, file: 'printed.yaml' })).toEqual(loadConfig({ env, cwd }));
  });

  it('says what follows from it', async () => {
    expect((await check({})).out).toMatch(/^# upstream: the built-in demo[^]*^# listens on 0\.0\.0\.0:8080/m);
    expect((await check({ OPENAI_API_KEY: secret })).out).toMatch(/hence loopback only/);
    expect((await check({ OPENAI_BASE_URL: 'http://h/v1' })).out).toMatch(
      /# upstream: http:\/\/h\/v1, with the caller's own key/,
    );
  });

  it('never prints a secret', async () => {
    const { out, err } = await check({ OPENAI_API_KEY: secret, REDIS_URL: 'redis://u:hunter22@h:1' });
    expect(out + err).not.toContain(secret);
    expect(out + err).not.toContain('hunter22');
    expect(out).toContain('redis://***@h:1');
  });

  it('prints every problem and exits with 1', async () => {
    const { code, out, err } = await check({
      REPRISE_CACHE__MODE: 'maybe',
      REPRISE_SERVER__PORT: 'x',
      OPENAI_API_KEY: secret,
    });
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(err).toMatch(/cache\.mode must be one of/);
    expect(err).toMatch(/server\.port must be/);
    expect(err).toMatch(/2 problems/);
    expect(err).not.toContain(secret);
  });

  it('takes the named file, and says when there is none', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'other.yaml'), 'cache:\n  capacity: 123\n');
    expect((await check({}, 'other.yaml', cwd)).out).toContain('capacity: 123');
    const missing = await check({}, 'nothing.yaml', cwd);
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('nothing.yaml: does not exist') as string });
  });
});
