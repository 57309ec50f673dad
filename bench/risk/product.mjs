// The product as it runs: a gateway process, an upstream that knows the logged replies, and a worker in this process that
// judges by the data set; drained at the end of each conversation.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { formatProblems, loadConfig } from '@reprise/config';
import { createRuntime } from '@reprise/nest';
import { createReferenceJudge } from '@reprise/testing';
import { createWorker, processors } from '@reprise/worker';
import { MODEL } from './sgd-stream.mjs';
import { freePort, startNode } from '../http/processes.mjs';

const root = new URL('../../', import.meta.url).pathname;
const TOKEN = 'fidelity';
/** sha256 of TOKEN. */
const TOKEN_HASH = 'f611beab46437c769c2c4a665d0ab8fbe29827c1ec42cb173838b66863e0771c';
const DAY_MS = 86_400_000;
const PATIENCE_MS = 300_000;
const POLL_MS = 5;

/** Answers with the logged reply; 500 to what no conversation says. */
async function startUpstream(replyTo) {
  const server = createServer(async (req, res) => {
    const chunks = [];
    for await (const chunk of req) chunks.push(chunk);
    const { model, messages } = JSON.parse(Buffer.concat(chunks).toString());
    const content = replyTo(messages);
    res.writeHead(content === undefined ? 500 : 200, { 'content-type': 'application/json' });
    const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' };
    const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
    res.end(JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model, choices: [choice], usage }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Settings under which a replay and the product must decide alike: nothing ends, nothing is late, nothing is evicted. */
export const settings = (cache = {}) => ({
  REPRISE_LIMITS__ADDED_LATENCY_MS: '10000',
  REPRISE_REDIS__COMMAND_TIMEOUT_MS: '8000',
  REPRISE_EMBEDDING__TIMEOUT_MS: '8000',
  REPRISE_QUEUES__LEARN_EVERY_MS: String(DAY_MS),
  REPRISE_JUDGE__KIND: 'llm',
  REPRISE_JUDGE__MODEL: 'reference',
  REPRISE_JUDGE__PER_MINUTE: '1000000',
  REPRISE_CACHE__CAPACITY: '100000',
  REPRISE_CACHE__GHOSTS: 'off',
  REPRISE_CACHE__TIME_DEPENDENT_MAX_AGE_MS: String(DAY_MS),
  ...cache,
});

export function configOf(env) {
  const loaded = loadConfig({ env, cwd: '/nowhere-at-all' });
  if (!loaded.ok) throw new Error(formatProblems(loaded.error));
  return loaded.value;
}

const namespaceOf = (key, space) => `k-${createHash('sha256').update(key).digest('hex').slice(0, 16)}:${space}`;

async function until(what, holds) {
  const end = Date.now() + PATIENCE_MS;
  for (let left = 0; ; left += 1) {
    if (await holds()) return;
    if (Date.now() > end) throw new Error(`not reached within ${PATIENCE_MS} ms: ${what()}`);
    await new Promise((resolve) => setTimeout(resolve, Math.min(200, POLL_MS + left)));
  }
}

/** `stream`: of sgdStream; `space`: a name that nobody else uses on this Redis. */
export async function openProduct({ redisUrl, modelDir, stream, space, cache }) {
  const upstream = await startUpstream(stream.replyTo);
  const env = {
    ...settings(cache),
    REDIS_URL: redisUrl,
    OPENAI_BASE_URL: upstream.url,
    REPRISE_AUTH__ADMIN_TOKEN_HASH: TOKEN_HASH,
    REPRISE_QUEUES__PREFIX: space,
    REPRISE_QUEUES__HEALTH_PORT: '0',
    REPRISE_MODEL_DIR: modelDir,
    LOG_LEVEL: 'fatal',
  };
  const port = await freePort();
  const gateway = await startNode(
    [`${root}apps/gateway/dist/main.js`],
    { ...env, PORT: String(port), REPRISE_DATA_DIR: undefined },
    `http://127.0.0.1:${port}`,
    async (url) => (await fetch(`${url}/healthz`)).ok,
  );
  const config = configOf({ ...env, REPRISE_TELEMETRY__PROCESS_METRICS: 'false' });
  const runtime = await createRuntime(config, 'worker');
  const judged = { ...runtime, judge: createReferenceJudge(stream.truth) };
  return new Product(upstream, gateway, judged, await createWorker(judged), config, space);
}

class Product {
  held = 0;

  constructor(upstream, gateway, runtime, worker, config, space) {
    Object.assign(this, { upstream, gateway, runtime, worker, config, space });
    this.ns = namespaceOf('test-key', space);
    this.learner = worker.get(processors.find(({ name }) => name === 'LearnProcessor'));
  }

  async post(request, headers) {
    const reply = await fetch(`${this.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer test-key',
        'x-reprise-namespace': this.space,
        ...headers,
      },
      body: JSON.stringify(request),
    });
    return { headers: reply.headers, status: reply.status, body: await reply.json() };
  }

  /** What the gateway did with one exchange; the client goes on with the logged reply, whatever it was given. */
  async ask({ conversation, request }) {
    const { headers, status, body } = await this.post(request, { 'x-reprise-conversation': conversation });
    if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(body)}`);
    return {
      requestId: headers.get('x-request-id'),
      kind: headers.get('x-cache'),
      reason: headers.get('x-cache-reason'),
      entryId: headers.get('x-cache-entry') ?? '',
      snapshot: headers.get('x-cache-snapshot') === null ? undefined : Number(headers.get('x-cache-snapshot')),
      content: body.choices[0].message.content,
    };
  }

  /** The inputs of the decision, with every digit. */
  async explain(requestId) {
    const url = `${this.gateway.url}/admin/api/namespaces/${encodeURIComponent(this.ns)}/explain/${requestId}`;
    const reply = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } });
    return (await reply.json()).decision;
  }

  /** Waits for counters to reach `wanted`, ends the conversation, learns, and waits until the gateway has what was published. */
  async drain(conversation, wanted) {
    const { risk, admin, conversations } = this.runtime;
    let stats = {};
    await until(
      () => JSON.stringify({ wanted, found: stats }),
      async () => {
        stats = await admin.stats(this.ns);
        return Object.entries(wanted).every(([name, value]) => stats[name] === value);
      },
    );
    await conversations.close(this.ns, conversation);
    await this.learner.handlers['learn-labels']({}, { last: true });
    const { version } = await risk.read(this.ns, '', 1);
    if (version === this.held) return;
    this.held = version;
    // Decided by the snapshot in force, and served nothing: a caller's limit of risk that no snapshot keeps.
    const probe = { model: MODEL, messages: [{ role: 'user', content: 'probe' }] };
    const controls = { 'cache-control': 'only-if-cached', 'x-reprise-max-risk': '0' };
    await until(
      () => `snapshot ${version}`,
      async () => (await this.post(probe, controls)).headers.get('x-cache-snapshot') === String(version),
    );
  }

  async close() {
    await this.gateway.stop();
    await this.runtime.admin.purge(this.ns, { all: true }, false, Date.now());
    await this.worker.close();
    await this.upstream.close();
  }
}
