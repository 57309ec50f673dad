import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAlive } from '../../tools/bootstrap/lock.mjs';
import { freePort } from '../../tools/bootstrap/ports.mjs';
import { findRedis, startRedis, type RedisWay } from '../../tools/bootstrap/redis.mjs';
import { ask, serverInfo } from '../../tools/bootstrap/resp.mjs';
import { which } from '../../tools/bootstrap/run.mjs';
import {
  fakeProgram,
  linkDownloads,
  outputOf,
  realCache,
  startScript,
  tempDir,
  testContext,
  until,
} from '../../tools/bootstrap/spec-support.js';

const only = (...ways: RedisWay[]) => ({ ways });

/** The server of the wheels, from this clone's cache. */
const realServer = async () => (await findRedis(testContext({ cacheDir: realCache }), only('wheels'))).binary ?? '';

/** A PATH with the ordinary programs of a shell, and nothing that could be Redis, docker or Python. */
function barePath(): string {
  const dir = tempDir();
  for (const name of ['sh', 'cat', 'sleep', 'env']) symlinkSync(which(name, process.env) ?? '', join(dir, name));
  return dir;
}

/** Starts, and stops when the test ends. */
async function started(options: Parameters<typeof startRedis>[0]) {
  const redis = await startRedis({ port: 0, dir: tempDir(), ...options });
  onTestFinished(redis.stop);
  return redis;
}

/** A server that says in INFO that it is an old Redis. */
async function oldServer(): Promise<number> {
  const info = 'redis_version:7.2.4\r\nprocess_id:1\r\nloading:0\r\n';
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => socket.write(`$${info.length}\r\n${info}\r\n`));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('Redis is found', () => {
  it('at REDIS_URL, which is neither started nor stopped', async () => {
    const server = await started({ context: testContext({ cacheDir: realCache }) });
    const context = testContext({ env: { PATH: barePath(), REDIS_URL: server.url } });
    const found = await findRedis(context);
    expect(found).toMatchObject({ way: 'url', url: server.url, version: '8.2.3' });
    const used = await startRedis({ context, found });
    expect(used).toMatchObject({ url: server.url, ours: false });
    await used.stop();
    expect((await serverInfo(server.url)).pid).toBe(server.pid);
  });

  it('at REDIS_URL or not at all, when that is set: data never goes elsewhere unseen', async () => {
    const nobody = testContext({
      cacheDir: realCache,
      env: { ...process.env, REDIS_URL: 'redis://:secret@127.0.0.1:1' },
    });
    const refused = findRedis(nobody);
    await expect(refused).rejects.toThrow(
      /REDIS_URL is set, but redis:\/\/127\.0\.0\.1:1 cannot be used.*unset REDIS_URL/,
    );
    await expect(refused).rejects.not.toThrow(/secret/);
    const old = testContext({
      cacheDir: realCache,
      env: { ...process.env, REDIS_URL: `redis://127.0.0.1:${await oldServer()}` },
    });
    await expect(findRedis(old)).rejects.toThrow(/is Redis 7\.2\.4; vector sets need 8 or newer/);
  });

  it('on the PATH', async () => {
    const dir = barePath();
    symlinkSync(await realServer(), join(dir, 'redis-server'));
    const found = await findRedis(testContext({ env: { PATH: dir } }));
    expect(found).toMatchObject({ way: 'path', version: '8.2.3', binary: join(dir, 'redis-server') });
    const redis = await started({ context: testContext(), found });
    expect((await serverInfo(redis.url)).version).toBe('8.2.3');
  });

  it('elsewhere when the one on the PATH is too old or does not run', async () => {
    const dir = barePath();
    fakeProgram(
      dir,
      'redis-server',
      'echo "Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.2.1 bits=64 build=1"',
    );
    const ways = only('url', 'path', 'wheels');
    const found = await findRedis(testContext({ cacheDir: realCache, env: { PATH: dir } }), ways);
    expect(found.way).toBe('wheels');
    expect(found.reasons).toEqual(['REDIS_URL is not set.', 'The redis-server on the PATH is 7.0.15, older than 8.']);
    fakeProgram(dir, 'redis-server', 'echo "cannot execute: wrong machine" >&2; exit 126');
    const again = await findRedis(testContext({ cacheDir: realCache, env: { PATH: dir } }), ways);
    expect(again.reasons[1]).toMatch(/does not run on this machine: cannot execute: wrong machine/);
  });

  it('through docker, when a daemon answers (the docker program is simulated, the server in it is real)', async () => {
    const dir = barePath();
    const log = join(tempDir(), 'docker');
    // Runs the server where the container would: listening on the published port, data in a folder for the volume.
    fakeProgram(
      dir,
      'docker',
      `echo "$*" >>'${log}'
case "$1" in
  version) echo 28.0.0 ;;
  image) exit 0 ;;
  rm) exit 0 ;;
  run)
    port=$(echo "$*" | sed 's/.*-p 127\\.0\\.0\\.1:\\([0-9]*\\):6379.*/\\1/')
    while [ "$1" != redis-server ]; do shift; done
    shift
    for arg in "$@"; do
      shift
      [ "$arg" = /data ] && arg='${tempDir()}'
      set -- "$@" "$arg"
    done
    exec '${await realServer()}' "$@" --port "$port" --bind 127.0.0.1 ;;
esac`,
    );
    symlinkSync(which('sed', process.env) ?? '', join(dir, 'sed'));
    const context = testContext({ env: { PATH: dir } });
    const found = await findRedis(context);
    expect(found).toMatchObject({ way: 'docker', image: 'redis:8' });
    const redis = await started({ context, found });
    const [policy] = await ask(redis.url, [['CONFIG', 'GET', 'maxmemory-policy']]);
    expect(policy).toEqual(['maxmemory-policy', 'noeviction']);
    await redis.stop();
    expect(isAlive(redis.pid ?? 0)).toBe(false);
  });

  it('elsewhere when docker has no daemon', async () => {
    const dir = barePath();
    fakeProgram(dir, 'docker', 'echo "Cannot connect to the Docker daemon" >&2; exit 1');
    const found = await findRedis(testContext({ cacheDir: realCache, env: { PATH: dir } }), only('docker', 'wheels'));
    expect(found).toMatchObject({ way: 'wheels', reasons: ['docker is there, but no daemon answers it.'] });
  });

  it('in the wheels, unpacked once and again when a file was damaged', async () => {
    const context = testContext();
    linkDownloads(context.cacheDir);
    const found = await findRedis(context, only('wheels'));
    expect(found.version).toBe('8.2.3');
    expect(found.modules.map((file) => file.split('/').at(-1))).toEqual(['redisearch.so', 'rejson.so']);
    chmodSync(found.binary ?? '', 0o755);
    fakeProgram(join(found.binary ?? '', '..'), 'redis-server', 'echo "Redis server v=9.9.9"');
    expect((await findRedis(context, only('wheels'))).version).toBe('8.2.3');
  });

  it('in Debian’s package, unpacked beside', async () => {
    const context = testContext({ cacheDir: realCache, env: process.env });
    if (!existsSync('/etc/debian_version') || !which('apt-get', process.env))
      return void (await expect(findRedis(context, only('debian'))).rejects.toThrow('not a Debian with apt'));
    const found = await findRedis(context, only('debian'));
    expect(found.way).toBe('debian');
    const redis = await started({ context, found });
    expect((await serverInfo(redis.url)).version).toMatch(/^8\./);
    expect(await ask(redis.url, [['VADD', 'v', 'VALUES', '2', '0.6', '0.8', 'a']])).toEqual([1]);
  });

  it('nowhere: one sentence with every reason and what to do', async () => {
    const refused = findRedis(testContext({ env: { PATH: barePath() } }));
    await expect(refused).rejects.toThrow(
      /REDIS_URL is not set\. No redis-server on the PATH\. No docker on the PATH\./,
    );
    await expect(refused).rejects.toThrow(
      /neither python3 -m pip nor pip.*not a Debian with apt.*Set REDIS_URL, or install/,
    );
  });
});

describe('a Redis that we start', () => {
  const context = () => testContext({ cacheDir: realCache });

  it('listens on loopback only, never evicts, is durable, and has vector sets, search and JSON', async () => {
    const redis = await started({ context: context() });
    const names = ['bind', 'maxmemory-policy', 'appendonly', 'appendfsync', 'save', 'protected-mode'];
    const values = (
      await ask(
        redis.url,
        names.map((name) => ['CONFIG', 'GET', name]),
      )
    ).map((reply) => (reply as string[])[1]);
    expect(values).toEqual(['127.0.0.1 -::1', 'noeviction', 'yes', 'everysec', '', 'yes']);
    const replies = await ask(redis.url, [
      ['VADD', 'v', 'VALUES', '2', '0.6', '0.8', 'a'],
      ['VSIM', 'v', 'VALUES', '2', '0.6', '0.8'],
      ['FT._LIST'],
      ['JSON.SET', 'j', '$', '{"a":1}'],
    ]);
    expect(replies).toEqual([1, ['a'], [], 'OK']);
  });

  it('keeps its data over a restart in the same folder, and refuses a second server on it', async () => {
    const dir = tempDir();
    const first = await startRedis({ context: context(), dir, port: 0 });
    await ask(first.url, [['SET', 'k', 'v']]);
    const second = await startRedis({ context: context(), dir, port: 0 });
    expect(second).toMatchObject({ url: first.url, ours: false });
    await second.stop();
    expect(await ask(first.url, [['GET', 'k']])).toEqual(['v']);
    await first.stop();
    const third = await started({ context: context(), dir });
    expect(await ask(third.url, [['GET', 'k']])).toEqual(['v']);
  });

  it('is gone after stop', async () => {
    const redis = await startRedis({ context: context(), dir: tempDir(), port: 0 });
    await redis.stop();
    expect(isAlive(redis.pid ?? 0)).toBe(false);
    await expect(serverInfo(redis.url)).rejects.toThrow();
  });

  it('is gone after its starter was killed outright', async () => {
    const dir = tempDir();
    const code = `
      import { startRedis } from './redis.mjs';
      const redis = await startRedis({ dir: process.argv[2], port: 0 });
      console.log(redis.pid);
      setInterval(() => {}, 1_000);`;
    const starter = startScript(code, { PATH: process.env['PATH'], REPRISE_CACHE_DIR: realCache }, [dir]);
    let pid = 0;
    starter.stdout?.once('data', (text: Buffer) => (pid = Number(text.toString())));
    await until('Redis runs', () => pid > 0 && isAlive(pid));
    starter.kill('SIGKILL');
    await until('Redis is gone', () => !isAlive(pid));
  });

  it('does not take a port from somebody else', async () => {
    const theirs = await started({ context: context() });
    const port = Number(new URL(theirs.url).port);
    await expect(startRedis({ context: context(), dir: tempDir(), port })).rejects.toThrow(
      /already in use|taken by another Redis/,
    );
    expect((await serverInfo(theirs.url)).pid).toBe(theirs.pid);
  });

  it('that cannot start says why', async () => {
    const settings = { 'maxmemory-policy': 'nonsense' };
    await expect(startRedis({ context: context(), dir: tempDir(), port: 0, settings })).rejects.toThrow(
      /Redis did not start: .*Its log is/,
    );
  });

  it('is one, when two processes start at once on one folder', async () => {
    const dir = join(tempDir(), 'data');
    mkdirSync(dir);
    const go = join(tempDir(), 'go');
    const code = `
      import { existsSync } from 'node:fs';
      import { startRedis } from './redis.mjs';
      const [dir, port, go] = process.argv.slice(2);
      const redis = await startRedis({ dir, port: Number(port) });
      console.log(redis.url + ' ' + redis.ours);
      setInterval(() => existsSync(go) && redis.stop().then(() => process.exit(0)), 50);`;
    const port = String(await freePort());
    let said = '';
    const run = () => {
      const child = startScript(code, { PATH: process.env['PATH'], REPRISE_CACHE_DIR: realCache }, [dir, port, go]);
      child.stdout?.on('data', (piece: Buffer) => (said += piece.toString()));
      return outputOf(child);
    };
    const runs = Promise.all([run(), run()]);
    const lines = () => said.trim().split('\n').sort();
    await until('both have one', () => lines().length === 2);
    expect(lines()).toEqual([`redis://127.0.0.1:${port} false`, `redis://127.0.0.1:${port} true`]);
    writeFileSync(go, '');
    await runs;
    expect(existsSync(join(dir, 'running.json'))).toBe(false);
    expect(readdirSync(dir)).not.toContain('start.lock');
  });
});
