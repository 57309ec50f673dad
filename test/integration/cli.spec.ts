import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { explainGuard } from '@reprise/policy';
import { openTestRedis, OwnServer, type TestRedis } from '@reprise/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, repoRoot, startGateway } from '../e2e/support/process.js';
import { startRedis } from '../e2e/support/redis.js';

/** On a busy machine every verdict is to be the rule's own, so nobody is in a hurry here. */
const patient = {
  REPRISE_LIMITS__ADDED_LATENCY_MS: '9000',
  REPRISE_EMBEDDING__TIMEOUT_MS: '8000',
  REPRISE_REDIS__COMMAND_TIMEOUT_MS: '8000',
  REPRISE_UPSTREAM__CONNECT_TIMEOUT_MS: '30000',
};
const dir = mkdtempSync(join(tmpdir(), 'reprise-cli-'));

let redis: TestRedis;
let gateway: GatewayProcess;
beforeAll(async () => {
  redis = await openTestRedis();
  gateway = await startGateway({ REDIS_URL: redis.url, ...patient });
});
afterAll(async () => {
  await gateway?.stop();
  await redis?.close();
});

interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The command line as a process of its own. */
async function reprise(args: readonly string[], env: Record<string, string> = {}): Promise<Finished> {
  const child = spawn(process.execPath, [join(repoRoot, 'apps/cli/dist/main.js'), ...args], {
    cwd: dir,
    env: {
      PATH: process.env['PATH'],
      HOME: dir,
      REPRISE_MODEL_DIR: process.env['REPRISE_MODEL_DIR'] ?? join(repoRoot, '.cache/model'),
      REDIS_URL: redis.url,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (data: Buffer) => (said.out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (said.err += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}

describe('doctor', () => {
  it('finds nothing wrong where nothing is wrong', async () => {
    const { code, out, err } = await reprise(['doctor']);
    expect(err).toBe('');
    expect(out).not.toMatch(/^FAIL/m);
    for (const name of [
      'node',
      'memory',
      'configuration',
      'redis',
      'vector sets',
      'functions',
      'memory policy',
      'time',
      'dead letters',
      'upstream',
      'model files',
      'embedder',
    ])
      expect(out).toMatch(new RegExp(`^(ok  |warn) +${name} `, 'm'));
    expect(out).toMatch(/^ok {4}functions +.*reprise_/m);
    expect(out).toMatch(/known cosines 0\.8\d\d and 0\.0\d\d/);
    expect(code).toBe(0);
  });

  it('finds a Redis that may drop keys and has none of the functions', async () => {
    const own = await startRedis();
    try {
      const { Redis } = await import('ioredis');
      const client = new Redis(own.url);
      await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
      client.disconnect();
      const { code, out } = await reprise(['doctor'], { REDIS_URL: own.url });
      expect(out).toMatch(/^FAIL {2}memory policy +allkeys-lru\n +→ .*noeviction/m);
      expect(out).toMatch(/^warn {2}functions +none of ours is loaded/m);
      expect(code).toBe(1);
    } finally {
      await own.stop();
    }
  });

  it('looks at a Redis that does not tell its modules or functions, as older and hosted ones', async () => {
    const own = await OwnServer.start(['--rename-command', 'FUNCTION', '', '--rename-command', 'MODULE', '']);
    try {
      const { out } = await reprise(['doctor'], { REDIS_URL: own.url });
      expect(out).toMatch(/^ok {4}redis +Redis 8\./m);
      expect(out).toMatch(/^warn {2}functions +none of ours is loaded/m);
    } finally {
      await own.stop();
    }
  });

  it('asks the sentinels where the primary is, and says when none knows', async () => {
    const env = { REPRISE_REDIS__SENTINELS: 'redis://127.0.0.1:9', REDIS_URL: 'redis://u:hunter22@unused:1' };
    const { code, out } = await reprise(['doctor'], env);
    expect(out).toMatch(/^FAIL {2}sentinel +0 of 1 know mymaster; 127\.0\.0\.1:9: /m);
    expect(out).toMatch(/^FAIL {2}redis +no sentinel says where the primary is/m);
    expect(out).not.toContain('hunter22');
    expect(code).toBe(1);
  });

  it('gives up on a Redis that is paused', async () => {
    const own = await startRedis();
    try {
      own.signal('SIGSTOP');
      const { code, out } = await reprise(['doctor', '--timeout', '300'], { REDIS_URL: own.url });
      expect(out).toMatch(/^FAIL {2}redis +127\.0\.0\.1:\d+ cannot be used: .+\n +→ /m);
      expect(code).toBe(1);
    } finally {
      await own.stop();
    }
  });
});

describe('demo', () => {
  interface DemoJson {
    requests: number;
    conversations: number;
    failed: number;
    reuses: number;
    wrong: number;
    unknown: number;
    savedTokens: number;
    savedUsd: number;
    kinds: { kind: string; requests: number }[];
  }

  it('plays conversations, and no reuse is another question’s answer', async () => {
    const { code, out, err } = await reprise(['demo', '--url', gateway.url, '--conversations', '60', '--json']);
    expect(err).toBe('');
    const figures = JSON.parse(out) as DemoJson;
    expect(figures).toMatchObject({ conversations: 60, failed: 0, wrong: 0, unknown: 0 });
    expect(figures.kinds.reduce((sum, { requests }) => sum + requests, 0)).toBe(figures.requests);
    const count = (kind: string): number => figures.kinds.find((row) => row.kind === kind)?.requests ?? 0;
    expect(count('hit-semantic')).toBeGreaterThan(0);
    expect(count('miss')).toBeGreaterThan(0);
    expect(count('bypass')).toBe(0);
    expect(figures.savedTokens).toBeGreaterThan(0);
    expect(figures.savedUsd).toBeGreaterThan(0);
    expect(code).toBe(0);
  });

  it('of a played sub-namespace is answered from it, whatever the kind of hit', async () => {
    const args = [
      'demo',
      '--url',
      gateway.url,
      '--conversations',
      '10',
      '--concurrency',
      '1',
      '--namespace',
      `again-${process.pid}-${Date.now()}`,
    ];
    await reprise(args);
    const { code, out } = await reprise(args);
    expect(out).toMatch(/^10 of 10 conversations, \d+ requests in /);
    expect(out).not.toMatch(/^miss /m);
    expect(out).not.toContain('\u001b[');
    expect(out).toMatch(/wrong against the ground truth 0 \(0\.00 % of the reuses\)/);
    expect(code).toBe(0);
  });

  it('refuses a gateway whose answers have no known ground truth, and what is no gateway', async () => {
    const other = createServer((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Hello"}}]}'),
    ).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const before = await startGateway({ REDIS_URL: redis.url, OPENAI_BASE_URL: `${address}/v1`, ...patient });
    try {
      const played = await reprise(['demo', '--url', before.url, '--conversations', '2']);
      expect(played).toMatchObject({
        code: 1,
        err: expect.stringMatching(/another upstream than the built-in demo/) as string,
      });
      const direct = await reprise(['demo', '--url', address, '--conversations', '2']);
      expect(direct).toMatchObject({ code: 1, err: expect.stringMatching(/sends no x-cache header/) as string });
    } finally {
      await before.stop();
      other.close();
    }
  });
});

describe('eval pairs', () => {
  const own = [
    ['How do I change the delivery address?', 'How can I change the delivery address?', 1],
    ['What is the capital of Norway?', 'Can you tell me what the capital of Norway is?', 1],
    ['How do I bake rye bread at home?', 'Please tell me how to bake rye bread at home', 1],
    ['How do I change the delivery address?', 'How do I change the billing address?', 0],
    ['Convert 30 euros to yen', 'Convert 30 yen to euros', 0],
    ['Is the museum open on Monday?', 'Is the museum open on Tuesday?', 0],
    ['How do I switch the alarm on?', 'How do I switch the alarm off?', 0],
    ['How many people live in Bergen?', 'How many people live in Tromsø?', 0],
  ] as const;
  const lines = own.map(([a, b, label]) => JSON.stringify({ a, b, label, kind: label === 1 ? 'same' : 'other' }));
  const file = join(dir, 'pairs.jsonl.gz');
  writeFileSync(file, gzipSync([...lines.slice(0, 2), '{"a": 1}', 'nonsense', ...lines.slice(2)].join('\n')));

  interface EvalJson {
    pairs: number;
    malformed: { line: number; why: string }[];
    undecided: number;
    withoutCosine: number;
    overall: { rule: string; falseHits: number; negatives: number; hits: number; positives: number }[];
    kinds: { kind: string }[];
    reasons: { cache: string; reason: string; positives: number; negatives: number }[];
  }

  it('counts false hits and recall beside plain cosine, and names the lines it left out', async () => {
    const { code, out, err } = await reprise(['eval', 'pairs', file, '--url', gateway.url, '--json']);
    expect(code).toBe(0);
    expect(err).toMatch(/^2 lines left out:\nline 3 "a" must be a text\nline 4 is not JSON\n/);
    const figures = JSON.parse(out) as EvalJson;
    expect(figures).toMatchObject({ pairs: 8, undecided: 0, withoutCosine: 0 });
    expect(figures.malformed.map(({ line }) => line)).toEqual([3, 4]);
    expect(figures.kinds.map(({ kind }) => kind)).toEqual(['other', 'same']);
    const [rule, loose, , , strict] = figures.overall;
    expect(rule).toMatchObject({ rule: 'reprise', falseHits: 0, negatives: 5, positives: 3 });
    expect(rule?.hits).toBeGreaterThan(0);
    expect(loose?.falseHits).toBeGreaterThan(strict?.falseHits ?? 99);
  });

  it('gives the verdicts of the library', async () => {
    const { out } = await reprise(['eval', 'pairs', file, '--url', gateway.url, '--json']);
    const { reasons } = JSON.parse(out) as EvalJson;
    const reasonOf = (a: string, b: string): string => explainGuard(a, b, 0.99).verdict.reason;
    const wanted = own.map(([a, b]) => reasonOf(a, b)).sort();
    const got = reasons.flatMap(({ reason, positives, negatives }) =>
      Array.from({ length: positives + negatives }, () => reason),
    );
    expect(got.sort()).toEqual(wanted);
  });

  it('prints tables, and the texts of mistakes when asked', async () => {
    const { code, out } = await reprise([
      'eval',
      'pairs',
      file,
      '--url',
      gateway.url,
      '--mistakes',
      '3',
      '--limit',
      '4',
    ]);
    expect(code).toBe(0);
    expect(out).toMatch(/^rule +false hits +recall\n/);
    expect(out).toMatch(/^reprise +0 of 1 +0\.00 % +\d of 3 /m);
    expect(out).toMatch(/^cosine ≥ \.95 /m);
    expect(out).toMatch(/\d pairs in \d+\.\d s \(\d+ pairs\/s\)/);
  });

  it('removes what it stored when it has the admin token, and says so', async () => {
    const token = readFileSync(gateway.tokenFile, 'utf8').trim();
    const { err } = await reprise([
      'eval',
      'pairs',
      file,
      '--url',
      gateway.url,
      '--limit',
      '2',
      '--clean',
      '--admin-token',
      token,
    ]);
    expect(err).toMatch(/The entries of this run were removed \(2 sub-namespaces\)\./);
    const without = await reprise(['eval', 'pairs', file, '--url', gateway.url, '--limit', '1', '--clean']);
    expect(without.err).toMatch(/stay until they expire: no admin token/);
  });

  it('without a model takes the cosines that the gateway names', async () => {
    const { code, out, err } = await reprise(['eval', 'pairs', file, '--url', gateway.url, '--json'], {
      REPRISE_MODEL_DIR: dir,
    });
    expect(code).toBe(0);
    expect(err).toMatch(
      /Cosines are those of x-cache-similarity, where the gateway named one: the embedding model is missing/,
    );
    const { overall } = JSON.parse(out) as EvalJson;
    expect(overall[1]?.hits).toBeGreaterThan(0);
  });
});

describe('guard', () => {
  it('takes the cosine of the real model', async () => {
    const { code, out } = await reprise(['guard', 'How do I reset my password?', 'How can I reset my password?']);
    expect(code).toBe(0);
    expect(out).toMatch(/^serve: same-words \(cosine 0\.98/);
  });
});

describe('the process', () => {
  it('exits with 2 for a command that there is not, and with 0 for help', async () => {
    expect(await reprise(['nonsense'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('usage: reprise') as string,
    });
    const help = await reprise(['eval', '--help']);
    expect(help).toMatchObject({ code: 0, err: '' });
    expect(help.out).toMatch(/\$ reprise eval pairs <file>[^]*--concurrency/);
  });
});
