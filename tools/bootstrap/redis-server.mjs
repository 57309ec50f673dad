// Starts a Redis of our own, and stops that one only.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BootstrapError, createContext, repoRoot } from './context.mjs';
import { isAlive, withLock } from './lock.mjs';
import { freePort, isFree } from './ports.mjs';
import { findRedis } from './redis-find.mjs';
import { ask, serverInfo } from './resp.mjs';
import { lastLines, run } from './run.mjs';

/** @typedef {import('./context.mjs').Context} Context */
/** @typedef {import('./redis-find.mjs').FoundRedis} FoundRedis */
/**
 * @typedef {object} RunningRedis
 * @property {string} url
 * @property {number | undefined} pid of the server; undefined when it is not ours
 * @property {boolean} ours whether this call started it, and `stop` therefore stops it
 * @property {FoundRedis} found
 * @property {() => Promise<void>} stop
 * @property {Promise<number>} exited the exit code, when our server ends by itself or is stopped
 */
/**
 * @typedef {object} RedisOptions
 * @property {Context} [context]
 * @property {string} [dir] data folder, default REPRISE_REDIS_DIR or .reprise/redis; one server per folder
 * @property {number} [port] 0 = any free one; default 6379, or any free one when that is taken
 * @property {FoundRedis} [found] what `findRedis` gave, default: find it
 * @property {Record<string, string>} [settings] more settings, after those of redis/conf/reprise.conf
 */

const guard = fileURLToPath(new URL('./guard.sh', import.meta.url));
const template = fileURLToPath(new URL('../../redis/conf/reprise.conf', import.meta.url));
const READY_MS = 60_000;
const LOADING_MS = 15 * 60_000;

/** The settings of redis/conf/reprise.conf as pairs. @returns {[string, string][]} */
function templateSettings() {
  const lines = readFileSync(template, 'utf8').split('\n');
  const kept = lines.map((line) => line.trim()).filter((line) => line && !line.startsWith('#'));
  return kept.map(
    (line) => /** @type {[string, string]} */ ([line.split(' ')[0] ?? '', line.split(' ').slice(1).join(' ')]),
  );
}

/** @param {string} value */
const quoted = (value) => `"${value.replace(/[\\"]/g, '\\$&')}"`;

/**
 * @param {string} dir
 * @param {number} port
 * @param {string[]} modules
 * @param {Record<string, string>} settings
 */
function writeConf(dir, port, modules, settings) {
  const lines = [
    '# Written at each start from redis/conf/reprise.conf.',
    ...templateSettings().map(([key, value]) => `${key} ${value}`),
    `port ${port}`,
    `dir ${quoted(dir)}`,
    `logfile ${quoted(join(dir, 'redis.log'))}`,
    ...modules.map((file) => `loadmodule ${quoted(file)}`),
    ...Object.entries(settings).map(([key, value]) => `${key} ${value === '' ? '""' : value}`),
  ];
  const file = join(dir, 'redis.conf');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/**
 * How the server is called: the program and its arguments.
 * @param {FoundRedis} found
 * @param {string} dir
 * @param {number} port
 * @param {Record<string, string>} settings
 */
function commandLine(found, dir, port, settings) {
  if (found.image === undefined)
    return { args: [found.binary ?? '', writeConf(dir, port, found.modules, settings)], container: '' };
  const id = createHash('sha256').update(dir).digest('hex').slice(0, 12);
  const container = `reprise-redis-${id}-${port}`;
  // In the container it must listen on all addresses; only loopback is published.
  const inside = { bind: '* -::*', 'protected-mode': 'no', port: '6379', dir: '/data', ...settings };
  const merged = { ...Object.fromEntries(templateSettings()), ...inside };
  const flags = Object.entries(merged).flatMap(([key, value]) => [`--${key}`, value === '""' ? '' : value]);
  const how = ['--rm', '--name', container, '-p', `127.0.0.1:${port}:6379`, '-v', `reprise-redis-${id}:/data`];
  return { args: ['docker', 'run', ...how, found.image, 'redis-server', ...flags], container };
}

/**
 * Starts the program under guard.sh, out of reach of the terminal's Ctrl-C (it is stopped last, in order).
 * @param {string[]} args
 * @param {Context} context
 * @param {string} log
 */
function spawnGuarded(args, context, log) {
  const child = spawn('/bin/sh', [guard, ...args], {
    env: { ...context.env, REPRISE_GUARD_LOG: log },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  child.stdin.on('error', () => {});
  /** @type {Promise<number>} */
  const exited = new Promise((done) => {
    child.on('error', () => done(127));
    child.on('exit', (code) => done(code ?? 1));
  });
  /** @type {Promise<number>} */
  const pid = new Promise((done) => {
    child.stdout.once('data', (text) => done(Number(String(text).trim())));
    void exited.then(() => done(0));
  });
  return { pid, exited, letGo: () => child.stdin.end() };
}

/**
 * Waits until the server answers, or says why it does not.
 * @param {string} url
 * @param {string} log
 * @param {Promise<number>} exited
 * @param {Context} context
 */
async function waitReady(url, log, exited, context) {
  let ended = false;
  void exited.then(() => (ended = true));
  let untilMs = Date.now() + READY_MS;
  let told = false;
  for (;;) {
    context.signal.throwIfAborted();
    if (ended)
      throw new BootstrapError(
        `Redis did not start: ${lastLines(readLog(log), 2) || 'it printed nothing'}.`,
        `Its log is ${log}.`,
      );
    const state = await serverInfo(url, { timeoutMs: 1_000 }).catch(() => undefined);
    if (state && !state.loading) return state;
    if (state?.loading && !told) {
      told = true;
      untilMs = Date.now() + LOADING_MS;
      context.board.say('Redis is loading its data.');
    }
    if (Date.now() > untilMs) throw new BootstrapError(`Redis does not answer at ${url}.`, `Its log is ${log}.`);
    await sleep(50);
  }
}

/** @param {string} log */
const readLog = (log) => (existsSync(log) ? readFileSync(log, 'utf8') : '');

/**
 * The server that already runs on this data folder (another `npm start`, or `bin/reprise redis`), if it does.
 * @param {string} stateFile
 * @param {string} dir
 */
async function alreadyRunning(stateFile, dir) {
  if (!existsSync(stateFile)) return undefined;
  try {
    const { url } = /** @type {{ url: string }} */ (JSON.parse(readFileSync(stateFile, 'utf8')));
    const [reply] = await ask(url, [['CONFIG', 'GET', 'dir']], { timeoutMs: 1_000 });
    const theirs = Array.isArray(reply) ? String(reply[1]) : '';
    return theirs === dir || theirs === '/data' ? url : undefined;
  } catch {
    return undefined;
  }
}

/** @param {FoundRedis} found @param {string} url @returns {RunningRedis} */
const foreign = (found, url) => ({
  url,
  pid: undefined,
  ours: false,
  found,
  stop: async () => {},
  exited: new Promise(() => {}),
});

/**
 * @param {number | undefined} asked
 * @param {number} attempt
 */
async function choosePort(asked, attempt) {
  if (asked !== undefined && asked !== 0) return asked;
  if (asked === undefined && attempt === 0 && (await isFree(6379))) return 6379;
  return freePort();
}

/**
 * @param {Required<Pick<RedisOptions, 'context' | 'dir' | 'settings'>> & { found: FoundRedis, port: number, stateFile: string }} start
 * @returns {Promise<RunningRedis>}
 */
async function launch({ context, dir, settings, found, port, stateFile }) {
  const log = join(dir, 'redis.log');
  rmSync(log, { force: true });
  const { args, container } = commandLine(found, dir, port, settings);
  const child = spawnGuarded(args, context, log);
  const url = `redis://127.0.0.1:${port}`;
  const pid = await child.pid;
  const stop = async () => {
    if (pid > 0 && isAlive(pid)) process.kill(pid, 'SIGTERM');
    const late = setTimeout(() => pid > 0 && isAlive(pid) && process.kill(pid, 'SIGKILL'), 10_000);
    await child.exited;
    clearTimeout(late);
    child.letGo();
    if (container) await run('docker', ['rm', '--force', container], { env: context.env, timeoutMs: 20_000 });
    rmSync(stateFile, { force: true });
  };
  try {
    const state = await waitReady(url, log, child.exited, context);
    // Another server on this port would have answered too: ours must be the one.
    if (!container && state.pid !== pid) throw new BootstrapError(`Port ${port} is taken by another Redis.`);
  } catch (error) {
    await stop();
    throw error;
  }
  writeFileSync(stateFile, JSON.stringify({ url, pid }));
  return { url, pid, ours: true, found, stop, exited: child.exited };
}

/**
 * A Redis to use: the one of REDIS_URL, the one that already runs on this folder, or one started now (loopback only,
 * noeviction, AOF each second). One started here ends with `stop`, and also when this process dies in any way.
 * @param {RedisOptions} [options]
 * @returns {Promise<RunningRedis>}
 * @throws {BootstrapError}
 */
export async function startRedis({ context = createContext(), dir, port, found, settings = {} } = {}) {
  const server = found ?? (await findRedis(context));
  if (server.url !== undefined) return foreign(server, server.url);
  const data = resolve(dir ?? (context.env['REPRISE_REDIS_DIR'] || join(repoRoot, '.reprise', 'redis')));
  mkdirSync(data, { recursive: true });
  const stateFile = join(data, 'running.json');
  return withLock(
    join(data, 'start.lock'),
    async () => {
      const running = await alreadyRunning(stateFile, data);
      if (running !== undefined) return foreign(server, running);
      for (let attempt = 0; ; attempt++) {
        try {
          const chosen = await choosePort(port, attempt);
          return await launch({ context, dir: data, settings, found: server, port: chosen, stateFile });
        } catch (error) {
          context.signal.throwIfAborted();
          // Between the choice of a free port and its use somebody can take it.
          const taken = /address already in use|taken by another/i.test(String(error));
          if (!taken || (port !== undefined && port !== 0) || attempt >= 4) throw error;
        }
      }
    },
    { signal: context.signal },
  );
}
