// `npm start` and `bin/reprise up|gateway|worker|redis`: sets everything up, runs it, and on Ctrl-C stops what it started.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BootstrapError, createContext, repoRoot, sentence } from './context.mjs';
import { demoLines } from './demo-lines.mjs';
import { ensureBuild, ensureDependencies } from './install.mjs';
import { findModel } from './model.mjs';
import { whenNpmIsGone } from './npm-watch.mjs';
import { freePort, isFree } from './ports.mjs';
import { findRedis, startRedis } from './redis.mjs';
import { withoutSecret } from './resp.mjs';
import { mainOf, startService, waitReady } from './services.mjs';

/** @typedef {import('./context.mjs').Context} Context */
/** @typedef {import('./redis-server.mjs').RunningRedis} RunningRedis */
/** @typedef {import('./services.mjs').Service} Service */
/** @typedef {'gateway' | 'worker'} ServiceName */

const READY_MS = 60_000;

/**
 * What Ctrl-C, SIGTERM or a dead npm mean: `signal` aborts, `code` is what to exit with when nothing ran yet.
 */
function stopRequests() {
  const controller = new AbortController();
  const state = { code: 0, presses: 0, onSecond: () => {} };
  const stop = (/** @type {NodeJS.Signals} */ name) => {
    state.presses++;
    state.code = name === 'SIGINT' ? 130 : 143;
    if (state.presses === 1)
      controller.abort(new BootstrapError('Stopped before it was ready; what was downloaded is kept.'));
    else state.onSecond();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
  whenNpmIsGone(() => state.presses === 0 && stop('SIGTERM'));
  return { signal: controller.signal, state };
}

/** The port as far as the environment says; the file is read after the build. @param {NodeJS.ProcessEnv} env */
const portOf = (env) => Number(env['REPRISE_SERVER__PORT'] || env['PORT'] || 8080);

/**
 * The configuration in force, by the product's own reader.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ port: number, demo: boolean }>}
 */
async function readConfig(env) {
  const file = pathToFileURL(join(repoRoot, 'libs', 'config', 'dist', 'index.js')).href;
  const { loadConfig, formatProblems, upstreamKind } = await import(file);
  const loaded = loadConfig({ env });
  if (!loaded.ok) throw new BootstrapError(formatProblems(loaded.error));
  return { port: loaded.value.server.port, demo: upstreamKind(loaded.value) === 'demo' };
}

/** @param {number} port */
async function refuseTakenPort(port) {
  if (port === 0 || (await isFree(port))) return;
  throw new BootstrapError(
    `Port ${port} is taken by another program.`,
    `Stop it, or choose another: PORT=${port + 1} npm start.`,
  );
}

/** @param {Context} context */
async function prepareRedis(context) {
  const running = await startRedis({ context, found: await findRedis(context) });
  const { way, version } = running.found;
  const where = running.ours ? 'started' : way === 'url' ? 'from REDIS_URL' : 'already running here';
  context.board.say(
    `Redis ${version} at ${withoutSecret(running.url)} (${way === 'url' ? where : `${way}, ${where}`}).`,
  );
  return running;
}

/** @param {Context} context */
async function prepareModel(context) {
  const model = await findModel(context);
  if (model.dir) context.board.say(`Embedding model: ${model.way === 'env' ? model.dir : `from the ${model.way}`}.`);
  else
    context.board.say(
      `No embedding model, so only exact repetitions are answered from the cache: ${model.reasons.join(' ')}`,
    );
  return model;
}

/** @param {Context} context */
async function prepareCode(context) {
  await ensureDependencies(context);
  if (await ensureBuild(context)) context.board.say('Built.');
}

/**
 * All that must be there before the services; Redis, model and code at the same time. When one fails the others are
 * stopped, so that nothing is left running.
 * @param {Context} context
 * @param {(error: unknown) => void} abort
 */
async function prepare(context, abort) {
  const jobs = /** @type {const} */ ([prepareRedis(context), prepareModel(context), prepareCode(context)]);
  for (const job of jobs) job.catch(abort);
  const [redis, model, code] = await Promise.allSettled(jobs);
  const failed =
    [redis, model, code].find((r) => r.status === 'rejected' && r.reason !== context.signal.reason) ??
    [redis, model, code].find((r) => r.status === 'rejected');
  if (failed?.status === 'rejected') {
    if (redis.status === 'fulfilled') await redis.value.stop();
    throw failed.reason;
  }
  if (redis.status !== 'fulfilled' || model.status !== 'fulfilled') throw new Error('not reached');
  return { redis: redis.value, model: model.value };
}

/**
 * @param {Context} context
 * @param {string} baseUrl
 * @param {boolean} demo
 */
function greet({ board }, baseUrl, demo) {
  const seconds = ((Date.now() - performance.timeOrigin) / 1000).toFixed(1);
  board.say(`Ready in ${seconds} s: ${baseUrl} (API under /v1, docs at /docs). Ctrl-C stops everything.`);
  if (!demo) return;
  board.say('No OPENAI_API_KEY or OPENAI_BASE_URL is set, so the built-in demo upstream answers. Try, in this order:');
  for (const { shows, curl } of demoLines(baseUrl)) board.say(`\n# ${shows}\n${curl}`);
}

/** @typedef {{ redis: RunningRedis | undefined, services: Service[] }} Running */

/**
 * Starts the services on what was prepared, and waits for the gateway.
 * @param {Context} context
 * @param {ServiceName[]} names
 * @param {Running} running filled as things start, so that all of it can be stopped whatever fails
 * @param {string | undefined} modelDir
 */
async function startServices(context, names, running, modelDir) {
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...context.env, REDIS_URL: running.redis?.url };
  if (modelDir) env['REPRISE_MODEL_DIR'] = modelDir;
  const config = await readConfig(env);
  const port = config.port || (await freePort());
  env['REPRISE_SERVER__PORT'] = String(port);
  if (names.includes('gateway')) await refuseTakenPort(port);
  for (const name of names) running.services.push(startService(name, mainOf(name), env));
  const gateway = running.services.find((service) => service.name === 'gateway');
  if (!gateway) return;
  const baseUrl = `http://127.0.0.1:${port}`;
  const how = { exited: gateway.exited, signal: context.signal, timeoutMs: READY_MS };
  // Without a model the gateway stays degraded, as was said: that is nothing to wait for.
  const degraded = await waitReady(`${baseUrl}/readyz`, modelDir ? how : { ...how, settleMs: 0 });
  if (degraded.length > 0)
    context.board.say(`The gateway works, but is degraded: ${degraded.join(', ')} (see ${baseUrl}/readyz).`);
  greet(context, baseUrl, config.demo);
}

/**
 * Waits for a stop request or for a part that ends by itself.
 * @param {Running} running
 * @param {AbortSignal} signal
 * @returns {Promise<string>} what ended by itself, '' when we were asked to stop
 */
function untilOver({ services, redis }, signal) {
  /** @type {Promise<string>} */
  const asked = new Promise((done) => signal.addEventListener('abort', () => done(''), { once: true }));
  const ends = services.map((s) => s.exited.then((code) => `The ${s.name} stopped by itself (exit code ${code}).`));
  return Promise.race([asked, ...ends, ...(redis ? [redis.exited.then(() => 'Redis stopped by itself.')] : [])]);
}

/**
 * Drains the services, then stops the Redis that was started here, and nothing else.
 * @param {Context} context
 * @param {Running} running
 * @returns {Promise<boolean>} whether nothing had to be killed
 */
async function stopAll({ board }, { redis, services }) {
  if (services.length > 0)
    board.say('Stopping: running requests are finished first (at most 15 s; Ctrl-C again stops at once).');
  const drained = await Promise.all(services.map((service) => service.drain()));
  await redis?.stop();
  return !drained.includes(false);
}

/**
 * Sets up and runs services until they are to stop.
 * @param {ServiceName[]} names none: only Redis
 * @returns {Promise<number>} exit code: 0 after an orderly stop, 130 or 143 when stopped before it was ready, else 1
 */
export async function up(names) {
  const { signal, state } = stopRequests();
  const failure = new AbortController();
  const context = createContext({ signal: AbortSignal.any([signal, failure.signal]) });
  /** @type {Running} */
  const running = { redis: undefined, services: [] };
  let code = 0;
  try {
    if (names.includes('gateway')) await refuseTakenPort(portOf(context.env));
    if (names.length === 0) running.redis = await prepareRedis(context);
    else {
      const { redis, model } = await prepare(context, (error) => failure.abort(error));
      running.redis = redis;
      await startServices(context, names, running, model.dir);
    }
    const ended = signal.aborted ? '' : await untilOver(running, signal);
    if (ended) {
      context.board.say(ended);
      code = 1;
    }
  } catch (error) {
    context.board.say(sentence(error));
    code = signal.aborted ? state.code : 1;
  }
  state.onSecond = () => running.services.forEach((s) => s.kill());
  return (await stopAll(context, running)) ? code : code || 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href)
  process.exit(await up(['gateway', 'worker']));
