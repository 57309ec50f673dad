// Redis 8 from Debian's current stable release, unpacked beside an older Debian: no package of the system is touched.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BootstrapError } from './context.mjs';
import { withLock } from './lock.mjs';
import { lastLines, run, which } from './run.mjs';

/** @typedef {import('./context.mjs').Context} Context */

/** @type {Partial<Record<string, { triplet: string, loader: string }>>} */
const machines = {
  x64: { triplet: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { triplet: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
};

function debianCodename() {
  const text = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  const field = (/** @type {string} */ name) => new RegExp(`^${name}="?([^"\n]*)`, 'm').exec(text)?.[1];
  return field('ID') === 'debian' ? field('VERSION_CODENAME') : undefined;
}

/**
 * apt-get with its lists and cache in our folder and no other source than the given suite.
 * @param {Context} context
 * @param {string} dir
 */
async function ownApt(context, dir) {
  const { env, signal, pins } = context;
  const asked = await run('apt-get', ['indextargets', '--format', '$(REPO_URI) $(RELEASE)', 'Created-By: Packages'], {
    env,
    signal,
  });
  const codename = debianCodename();
  const mirror = asked.stdout
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, release]) => release === codename)?.[0];
  if (!mirror)
    throw new BootstrapError(`apt has no list of packages for ${codename}.`, 'Run apt-get update, then start again.');
  for (const sub of ['lists/partial', 'cache/archives/partial', 'debs']) mkdirSync(join(dir, sub), { recursive: true });
  writeFileSync(join(dir, 'sources.list'), `deb ${mirror} ${pins.redis.debian.suite} main\n`);
  const settings = {
    'Dir::Etc::SourceList': join(dir, 'sources.list'),
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State::Lists': join(dir, 'lists'),
    'Dir::Cache': join(dir, 'cache'),
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '3',
  };
  const flags = ['-qq', ...Object.entries(settings).flatMap(([key, value]) => ['-o', `${key}=${value}`])];
  return (/** @type {string[]} */ args) => run('apt-get', [...flags, ...args], { env, signal, cwd: join(dir, 'debs') });
}

/** @param {string} dir */
const folderBytes = (dir) =>
  readdirSync(dir, { withFileTypes: true }).reduce(
    (sum, e) => sum + (e.isFile() ? statSync(join(dir, e.name)).size : 0),
    0,
  );

/**
 * @param {Context} context
 * @param {string} dir
 */
async function fetchPackages(context, dir) {
  const { suite, packages } = context.pins.redis.debian;
  const apt = await ownApt(context, dir);
  const update = await apt(['update']);
  if (update.code !== 0) throw new BootstrapError(`apt could not read Debian ${suite}: ${lastLines(update.stderr)}.`);
  const names = packages.map((name) => `${name}/${suite}`);
  const listed = await apt(['download', '--print-uris', ...names]);
  const total = [...listed.stdout.matchAll(/^'[^']*' \S+ (\d+) /gm)].reduce((sum, [, bytes]) => sum + Number(bytes), 0);
  const task = context.board.task(`redis-server of Debian ${suite}`);
  const timer = setInterval(() => task.update(folderBytes(join(dir, 'debs')), total), 200);
  try {
    const got = await apt(['download', ...names]);
    if (got.code !== 0)
      throw new BootstrapError(`apt could not fetch redis-server of Debian ${suite}: ${lastLines(got.stderr)}.`);
    task.update(total, total);
  } finally {
    clearInterval(timer);
    task.end();
  }
}

/**
 * A starter for each program, with the release's own loader and libraries, wherever the cache folder is moved.
 * @param {string} dir
 * @param {{ triplet: string, loader: string }} machine
 */
function writeStarters(dir, { triplet, loader }) {
  mkdirSync(join(dir, 'bin'), { recursive: true });
  for (const name of ['redis-server', 'redis-cli', 'redis-benchmark']) {
    const script = `#!/bin/sh
root=$(CDPATH= cd "$(dirname "$0")/../root" && pwd)
lib="$root/usr/lib/${triplet}"
exec "$lib/${loader}" --inhibit-cache --argv0 ${name} --library-path "$lib" "$root/usr/bin/${name}" "$@"
`;
    writeFileSync(join(dir, 'bin', name), script, { mode: 0o755 });
  }
}

/**
 * Path of a redis-server starter, unpacked into the cache; two callers at once make one download.
 * @param {Context} context
 * @returns {Promise<string>}
 * @throws {BootstrapError} on another system than Debian, or when apt cannot fetch it
 */
export async function fetchDebianRedis(context) {
  const machine = machines[process.arch];
  if (!debianCodename() || !machine || !which('apt-get', context.env) || !which('dpkg', context.env))
    throw new BootstrapError('This is not a Debian with apt, so its redis-server package cannot be used.');
  const { suite } = context.pins.redis.debian;
  const dir = join(context.cacheDir, 'redis', `debian-${suite}-${process.arch}`);
  const binary = join(dir, 'bin', 'redis-server');
  if (existsSync(binary)) return binary;
  return withLock(
    join(context.cacheDir, 'locks', 'debian-redis.lock'),
    async () => {
      if (existsSync(binary)) return binary;
      // Built aside and moved in one step; fetched packages of an interrupted run stay, and apt takes those that are whole.
      const work = `${dir}.part`;
      rmSync(join(work, 'root'), { recursive: true, force: true });
      await fetchPackages(context, work);
      for (const name of readdirSync(join(work, 'debs'))) {
        const result = await run('dpkg', ['-x', join(work, 'debs', name), join(work, 'root')], {
          env: context.env,
          signal: context.signal,
        });
        if (result.code !== 0) throw new BootstrapError(`${name} could not be unpacked: ${lastLines(result.stderr)}.`);
      }
      writeStarters(work, machine);
      for (const sub of ['lists', 'cache', 'debs']) rmSync(join(work, sub), { recursive: true, force: true });
      rmSync(dir, { recursive: true, force: true });
      renameSync(work, dir);
      return binary;
    },
    { signal: context.signal },
  );
}
