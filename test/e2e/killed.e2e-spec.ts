import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createRedisStore, type RedisStore } from '@reprise/redis-store';
import { generateConversations } from '@reprise/upstream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { metric, namespaceOf, onNamespace } from './support/admin.js';
import { ask, chat, type ChatReply, ownSpace } from './support/chat.js';
import { eventually, type GatewayProcess } from './support/process.js';
import { suite } from './support/suite.js';
import { startWorkerProcess, type WorkerProcess } from './support/worker.js';

/** A call that waits for an answer. */
interface Held {
  readonly body: string;
  readonly response: ServerResponse;
}
/** The model, and the judge of each worker under a path of its own; what is held is answered when it is let go. */
class Model {
  private readonly held = new Map<string, Held[]>();
  readonly server = createServer((request, response) => {
    response.on('error', () => undefined);
    void text(request).then((body) => this.take(request.url?.split('/')[1] ?? '', { body, response }));
  }).listen(0, '127.0.0.1');

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${path}/v1`;
  }
  hold(path: string): void {
    this.held.set(path, []);
  }
  count(path: string): number {
    return this.held.get(path)?.length ?? 0;
  }
  letGo(path: string): void {
    const waiting = this.held.get(path) ?? [];
    this.held.delete(path);
    for (const one of waiting) this.take(path, one);
  }
  private take(path: string, one: Held): void {
    const waiting = this.held.get(path);
    if (waiting === undefined) void this.answer(one).catch(() => one.response.destroy());
    else waiting.push(one);
  }
  private async answer({ body, response }: Held): Promise<void> {
    const reply = await fetch(`${s.upstream.url}/chat/completions`, { method: 'POST', body });
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text());
  }
}
const model = new Model();
await once(model.server, 'listening');

const env = { OPENAI_BASE_URL: model.url('upstream'), REPRISE_JUDGE__KIND: 'llm', REPRISE_JUDGE__TIMEOUTMS: '600000' };
const s = suite({ ...env, REPRISE_CACHE__SINGLEFLIGHT__LEASEMS: '1000' }, 3, 'own');
const workers: WorkerProcess[] = [];
let store: RedisStore;
beforeAll(async () => {
  for (const name of ['first', 'second'])
    workers.push(
      await startWorkerProcess({
        ...env,
        REDIS_URL: s.redisUrl,
        REPRISE_JUDGE__BASEURL: model.url(name),
        REPRISE_QUEUES__LOSTAFTERMS: '2000',
        REPRISE_QUEUES__GHOSTSEVERYMS: '1000',
      }),
    );
  store = createRedisStore({ url: s.redisUrl, commandTimeoutMs: 5000 });
  expect(await store.connect(10_000)).toBe(true);
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop('SIGKILL')));
  await store.close();
  model.server.closeAllConnections();
  model.server.close();
});

const space = ownSpace('killed');
const ns = namespaceOf(space);
const statsOf = (): Promise<Record<string, number>> =>
  onNamespace({ url: s.url, adminToken: s.adminToken }, ns, 'stats');
const said = (): string => [...s.gateways, ...workers].map(({ log }) => log).join('');
const reach = (probe: () => Promise<boolean> | boolean): Promise<void> => eventually(probe, 60_000, said);

/** Asks all, `many` at a time, in turn of the gateways; an answer that never came is undefined. */
async function askAll(
  questions: readonly string[],
  gateways: readonly GatewayProcess[],
  many = 1,
  headers: Record<string, string> = {},
): Promise<(ChatReply | undefined)[]> {
  const replies: (ChatReply | undefined)[] = [];
  let next = 0;
  const one = async (): Promise<void> => {
    for (let at = next++; at < questions.length; at = next++) {
      const url = gateways[at % gateways.length]?.url ?? '';
      replies[at] = await chat(url, ask(questions[at] as string), { ...space, ...headers }).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: many }, one));
  return replies;
}

const questions = [
  ...new Set(generateConversations({ count: 400, seed: 11 }).map(({ turns }) => turns[0]?.user ?? '')),
];

const sum = (stats: Record<string, number>, pattern: RegExp): number =>
  Object.entries(stats).reduce((total, [name, count]) => total + (pattern.test(name) ? count : 0), 0);
const produced = async ({ url }: GatewayProcess): Promise<number> =>
  [...(await metric(url, 'reprise_jobs_total'))]
    .filter(([labels]) => /queue="judge".*outcome="produced"/.test(labels))
    .reduce((total, [, count]) => total + count, 0);
const labels = async (): Promise<string[]> =>
  (await store.risk.read(ns, '', 1_000)).events.flatMap((event) =>
    event.kind === 'label' ? [event.label.requestId] : [],
  );

describe('case 35: two workers and three gateways, one of each killed with -9 in mid-stream', () => {
  it('every answered request and every judged reuse counts once, and none is lost', async () => {
    const [doomed, ...others] = [...s.gateways].reverse() as [GatewayProcess, GatewayProcess, GatewayProcess];
    const replies = await askAll(questions.slice(0, 45), s.gateways);
    // What the doomed gateway has answered is written down: it counts behind its answer.
    await reach(async () => (await statsOf())['step'] === 45);
    await reach(async () => (await labels()).length > 0);

    // The first worker has reuses under way when it dies, the doomed gateway requests that wait for their answer.
    model.hold('first');
    replies.push(...(await askAll(questions.slice(45, 75), s.gateways)));
    await reach(() => model.count('first') > 0);
    await reach(async () => (await statsOf())['step'] === 75);
    // Jobs are written behind the answers, too: all are there when each is a label or waits at the first worker.
    const ids = async (): Promise<number> => new Set(await labels()).size;
    const jobsOf = async (gateways: readonly GatewayProcess[]): Promise<number> =>
      (await Promise.all(gateways.map(produced))).reduce((total, count) => total + count, 0);
    await reach(async () => (await ids()) + model.count('first') === (await jobsOf(s.gateways)));
    const drawn = await produced(doomed);
    model.hold('upstream');
    const torn = questions.slice(75, 87);
    // None of them is answered from the cache: its job would be written or not, and nobody could say which.
    const asked = askAll(torn, [doomed], torn.length, { 'cache-control': 'no-cache' });
    await reach(() => model.count('upstream') === torn.length);
    await workers[0]?.stop('SIGKILL');
    await doomed.stop('SIGKILL');
    expect(await asked).toEqual(torn.map(() => undefined));
    model.letGo('upstream');

    // Asked again, of the gateways that are left; then equal ones, and more.
    replies.push(...(await askAll(torn, others)));
    replies.push(...(await askAll(questions.slice(87, 102), others)));
    replies.push(...(await askAll(questions.slice(0, 15), others)));
    const total = 75 + torn.length + 15 + 15;
    const kinds = replies.map((reply) => reply?.cache ?? 'none');
    const of = (kind: string): number => kinds.filter((one) => one === kind).length;
    expect([replies.length, replies.every((reply) => reply?.status === 200)]).toEqual([total, true]);
    expect(of('miss') + of('hit-semantic') + of('hit-exact')).toBe(total);

    await reach(async () => (await statsOf())['step'] === total);
    await reach(async () => (await ids()) === drawn + (await jobsOf(others)));
    const stats = await statsOf();
    expect(stats).toMatchObject({ semantic_hit: of('hit-semantic'), exact_hit: of('hit-exact'), offers: of('miss') });
    const all = await labels();
    expect(new Set(all).size).toBe(all.length);
    expect([
      sum(stats, /^judged_by_/),
      sum(stats, /^labels_(in)?correct$/),
      sum(stats, /^judged_.*_(right|wrong)$/),
    ]).toEqual([all.length, all.length, all.length]);
    expect(stats['judge_missing'] ?? 0).toBe(0);
    const answeredIds = new Set(replies.map((reply) => reply?.headers.get('x-request-id')));
    expect(all.filter((id) => !answeredIds.has(id))).toEqual([]);
  }, 240_000);
});
