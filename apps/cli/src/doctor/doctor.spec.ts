import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AppConfig, loadConfig } from '@reprise/config';
import { createHashingEmbedder, createUnavailableEmbedder, type ManagedEmbedder } from '@reprise/embeddings';
import { startDemoServer } from '@reprise/upstream';
import { afterEach, describe, expect, it } from 'vitest';
import { run } from '../run.js';
import { deadUrl, recordedIo } from '../testing.js';
import { checkJudge } from './judge.check.js';
import { checkMemory, checkNode } from './machine.check.js';
import { pinnedHashes, selfTest } from './model.check.js';
import { placeOf, redisUrlsOf } from './redis-url.js';
import { checkUpstream } from './upstream.check.js';

function configOf(env: Record<string, string>): AppConfig {
  const loaded = loadConfig({ env, cwd: '/nowhere' });
  if (!loaded.ok) throw new Error('the test needs a valid configuration');
  return loaded.value;
}

describe('this machine', () => {
  it.each([
    ['20.18.3', 'fail'],
    ['18.0.0', 'fail'],
    ['20.19.0', 'ok'],
    ['22.1.0', 'ok'],
  ])('Node %s: %s', (version, level) => {
    expect(checkNode(version).level).toBe(level);
  });

  it('with too little memory for a gateway is worth a look', () => {
    expect(checkMemory(200 * 1024 ** 2, 1024 ** 3)).toMatchObject({ level: 'warn', says: '200 MiB of 1.0 GiB free' });
    expect(checkMemory(400 * 1024 ** 2, 1024 ** 3).level).toBe('ok');
  });
});

describe('the model', () => {
  it('whose cosines are not the known ones is not taken for the right one', async () => {
    const other: ManagedEmbedder = {
      ...createHashingEmbedder(),
      state: () => ({ pending: 0, workersReady: 1, cacheEntries: 0, cacheBytes: 0 }),
      close: () => Promise.resolve(),
    };
    expect(await selfTest(other)).toMatchObject({
      level: 'fail',
      says: expect.stringContaining('known cosine') as string,
    });
  });

  it('that is not there gives its reason', async () => {
    expect(await selfTest(createUnavailableEmbedder('no file'))).toMatchObject({ level: 'fail', says: 'no file' });
  });

  it('has one pinned hash for each way that it can come', () => {
    const pins = { model: { hub: { files: { f: { sha256: 'a' } } }, wheel: { converted: { f: { sha256: 'b' } } } } };
    expect(pinnedHashes(pins, 'f')).toEqual(['a', 'b']);
    expect(pinnedHashes(pins, 'g')).toEqual([]);
    expect(pinnedHashes({}, 'f')).toEqual([]);
  });
});

describe('the upstream', () => {
  const servers: { close(): unknown }[] = [];
  afterEach(() => servers.splice(0).forEach((server) => server.close()));

  async function answering(status: number): Promise<string> {
    const server: Server = createServer((_request, response) => response.writeHead(status).end()).listen(
      0,
      '127.0.0.1',
    );
    servers.push(server);
    await new Promise((resolve) => server.once('listening', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  }

  it('without an address is the demo', async () => {
    expect(await checkUpstream(configOf({}), 1_000)).toMatchObject({
      level: 'ok',
      says: expect.stringContaining('demo') as string,
    });
  });

  it('that answers is fine', async () => {
    const server = await startDemoServer();
    servers.push(server);
    expect((await checkUpstream(configOf({ OPENAI_BASE_URL: server.url }), 2_000)).level).toBe('ok');
  });

  it.each([
    [401, 'sk-x', 'fail'],
    [401, '', 'ok'],
    [404, 'sk-x', 'warn'],
    [503, 'sk-x', 'warn'],
  ])('status %i with key %j: %s', async (status, key, level) => {
    const config = configOf({ OPENAI_BASE_URL: await answering(status), OPENAI_API_KEY: key });
    const finding = await checkUpstream(config, 2_000);
    expect(finding.level).toBe(level);
    expect(JSON.stringify(finding)).not.toContain('sk-x');
  });

  it('that nobody listens at is a failure with the reason', async () => {
    const finding = await checkUpstream(configOf({ OPENAI_BASE_URL: `${await deadUrl()}/v1` }), 1_000);
    expect(finding).toMatchObject({ level: 'fail', says: expect.stringMatching(/ECONNREFUSED/) as string });
  });

  it('that does not answer in time is a failure', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    servers.push({ close: () => (server.closeAllConnections(), server.close()) });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    expect(await checkUpstream(configOf({ OPENAI_BASE_URL: url }), 50)).toMatchObject({
      level: 'fail',
      says: expect.stringContaining('in time') as string,
    });
  });
});

describe('the judge', () => {
  it.each<[Record<string, string>, string, RegExp]>([
    [{}, 'ok', /reprise-demo/],
    [{ OPENAI_API_KEY: 'sk-x' }, 'warn', /nothing is learned/],
    [{ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }, 'warn', /only first messages/],
    [{ OPENAI_API_KEY: 'sk-x', REPRISE_JUDGE__MODEL: 'small' }, 'ok', /small judges/],
    [{ OPENAI_API_KEY: 'sk-x', REPRISE_JUDGE__KIND: 'llm' }, 'ok', /gpt-4o-mini/],
    [{ REPRISE_JUDGE__KIND: 'none' }, 'warn', /none/],
    [{ OPENAI_API_KEY: 'sk-x', REPRISE_CACHE__DECISION: 'strict-similarity' }, 'ok', /error budget/],
  ])('%j: %s', (env, level, says) => {
    const finding = checkJudge(configOf(env));
    expect(finding).toMatchObject({ level, says: expect.stringMatching(says) as string });
    expect(JSON.stringify(finding)).not.toContain('sk-x');
  });
});

describe('where Redis is', () => {
  it('is the configured address, or all start nodes of a cluster', () => {
    expect(redisUrlsOf(configOf({ REDIS_URL: 'redis://h:1' }), { cwd: '/nowhere' })).toEqual(['redis://h:1']);
    const cluster = configOf({ REPRISE_REDIS__CLUSTER: 'redis://a:1,redis://b:2' });
    expect(redisUrlsOf(cluster, { cwd: '/nowhere' })).toEqual(['redis://a:1', 'redis://b:2']);
  });

  it('is the server that npm start has on its data folder, when no other is configured', () => {
    const cwd = mkdtempSync(join(tmpdir(), 'reprise-cli-'));
    mkdirSync(join(cwd, '.reprise', 'redis'), { recursive: true });
    writeFileSync(join(cwd, '.reprise', 'redis', 'running.json'), '{"url":"redis://127.0.0.1:7999","pid":1}');
    expect(redisUrlsOf(configOf({}), { cwd })).toEqual(['redis://127.0.0.1:7999']);
    expect(redisUrlsOf(configOf({ REDIS_URL: 'redis://h:1' }), { cwd })).toEqual(['redis://h:1']);
  });

  it('is printed without a password', () => {
    expect(placeOf('redis://user:hunter22@h:1/0')).toBe('h:1');
  });
});

describe('doctor', () => {
  it('names every problem of the configuration and looks at nothing else', async () => {
    const io = recordedIo({ env: { REPRISE_CACHE__MODE: 'maybe' } });
    expect(await run(['doctor'], io)).toBe(1);
    expect(io.written.out).toMatch(/FAIL {2}configuration {2}REPRISE_CACHE__MODE: cache\.mode must be one of/);
    expect(io.written.out).not.toContain('redis');
    expect(io.written.out).toMatch(/\n\d ok, \d to look at, 1 failed\n$/);
  });

  it('goes on past what fails, says what to do, and exits with 1', async () => {
    const env = { REDIS_URL: 'redis://u:hunter22@127.0.0.1:9', REPRISE_MODEL_DIR: '/nowhere' };
    const io = recordedIo({ env });
    expect(await run(['doctor', '--timeout', '500'], io)).toBe(1);
    expect(io.written.out).toMatch(/FAIL {2}redis +127\.0\.0\.1:9 cannot be used: .*ECONNREFUSED/);
    expect(io.written.out).toMatch(/ok {4}upstream/);
    expect(io.written.out).toMatch(/FAIL {2}model files[^\n]*does not exist\n +→ npm start/);
    expect(io.written.out).not.toContain('hunter22');
  });

  it('as JSON has one object for each finding', async () => {
    const io = recordedIo({ env: { REPRISE_CACHE__MODE: 'maybe' } });
    await run(['doctor', '--json'], io);
    const { findings } = JSON.parse(io.written.out) as { findings: { name: string; level: string }[] };
    expect(findings.map(({ name }) => name)).toEqual(['node', 'memory', 'configuration']);
  });
});
