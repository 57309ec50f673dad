import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { ask, chat, ownSpace } from './support/chat.js';
import { checkReply, checkWire } from './support/fuzz-checks.js';
import { body, chatPath, headers, method, path, words } from './support/fuzz-inputs.js';
import { wire } from './support/fuzz-wire.js';
import { exchange, pooled, type RawRequest, sendBytes } from './support/raw-http.js';
import { suite } from './support/suite.js';

/** Case 29: whatever is sent, an answer of the API's shape or a closed connection, and a process that goes on. */
const s = suite({ LOG_LEVEL: 'error' }, 1, 'own');
const concurrency = 8;
const agent = pooled(concurrency);
const seed = Number(process.env['TEST_FUZZ_SEED'] ?? 20_261_130);
const limits = {
  numRuns: 0,
  seed,
  endOnFailure: false,
  interruptAfterTimeLimit: 170_000,
  markInterruptAsFailure: true,
};
const minutes = 180_000;

afterAll(() => agent.destroy());

async function play(requests: readonly RawRequest[]): Promise<void> {
  await Promise.all(requests.map(async (request) => checkReply(request, await exchange(s.url, request, agent))));
  expect(s.gateways[0]?.running).toBe(true);
}

/** `runs` × eight requests at a time. */
const fuzz = (request: fc.Arbitrary<RawRequest>, runs: number): Promise<void> =>
  fc.assert(fc.asyncProperty(fc.array(request, { minLength: concurrency, maxLength: concurrency }), play), {
    ...limits,
    numRuns: runs,
  });

const json = { 'content-type': 'application/json' };

describe('case 29: fuzz', () => {
  it(
    '6,000 bodies of chat requests',
    () =>
      fuzz(
        body.map((bytes) => ({ method: 'POST', path: chatPath, headers: json, body: bytes })),
        750,
      ),
    minutes,
  );

  it(
    '1,200 bodies of the other routes',
    () =>
      fuzz(
        fc
          .tuple(fc.constantFrom('/v1/embeddings', '/v1/feedback', '/admin/api/keys/revoke', '/v1/memory/search'), body)
          .map(([to, bytes]) => ({
            method: 'POST',
            path: to,
            headers: { ...json, authorization: `Bearer ${s.adminToken}` },
            body: bytes,
          })),
        150,
      ),
    minutes,
  );

  it(
    '2,400 sets of headers',
    () =>
      fuzz(
        fc.tuple(headers, words).map(([some, words]) => ({
          method: 'POST',
          path: chatPath,
          headers: { ...json, ...some },
          body: JSON.stringify(ask(words)),
        })),
        300,
      ),
    minutes,
  );

  it(
    '1,200 methods and paths',
    () =>
      fuzz(
        fc.tuple(method, path, fc.option(body, { nil: undefined })).map(([verb, to, bytes]) => ({
          method: verb,
          path: to,
          headers: bytes === undefined ? {} : json,
          ...(bytes === undefined ? {} : { body: bytes }),
        })),
        150,
      ),
    minutes,
  );

  it(
    '800 requests that break the protocol',
    () =>
      fc.assert(
        fc.asyncProperty(fc.array(wire, { minLength: concurrency, maxLength: concurrency }), async (all) => {
          const send = (bytes: string): Promise<Buffer> => sendBytes(s.url, Buffer.from(bytes, 'latin1'));
          await Promise.all(all.map(async (bytes) => checkWire(bytes, (await send(bytes)).toString('latin1'))));
          expect(s.gateways[0]?.running).toBe(true);
        }),
        { ...limits, numRuns: 100 },
      ),
    minutes,
  );

  it('and the process still answers rightly', async () => {
    const space = ownSpace('after');
    expect((await fetch(`${s.url}/healthz`)).status).toBe(200);
    expect(await (await fetch(`${s.url}/readyz`)).json()).toMatchObject({ status: 'ready' });
    const first = await chat(s.url, ask('How do I reset my password?'), space);
    const again = await chat(s.url, ask('How do I reset my password?'), space);
    const near = await chat(s.url, ask('How can I reset my password?'), space);
    const fresh = await chat(s.url, ask('How do I reset my password?'), { ...space, 'cache-control': 'no-store' });
    expect([first, again, near].map((reply) => reply.cache)).toEqual(['miss', 'hit-exact', 'hit-semantic']);
    expect(new Set([first, again, near, fresh].map((reply) => reply.content)).size).toBe(1);
    expect(s.gateways[0]?.log).not.toMatch(/RP_ERR_INTERNAL|the cache failed|uncaught|unhandled/i);
  });
});
