// Dependencies and build: each done once, again only when what they are made from changed, and by one process at a time.
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { BootstrapError, repoRoot } from './context.mjs';
import { writeAtomic } from './files.mjs';
import { withLock } from './lock.mjs';
import { lastLines, run } from './run.mjs';

/** @typedef {import('./context.mjs').Context} Context */
/** @typedef {Record<string, { version?: string, integrity?: string, optional?: boolean, link?: boolean, resolved?: string } | undefined>} LockedPackages */

/** @param {string} file @returns {LockedPackages} */
function lockedPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
  } catch {
    return {};
  }
}

/**
 * Whether node_modules is what the lock file asks for, by npm's own record of what it installed; so that an `npm install`
 * of a developer is not done again. Optional packages of other platforms may be missing.
 * @param {LockedPackages} wanted
 * @param {LockedPackages} installed
 */
export function satisfies(wanted, installed) {
  return Object.entries(wanted).every(([path, want]) => {
    if (!want || !path.includes('node_modules/')) return true;
    const got = installed[path];
    if (!got) return want.optional === true;
    return got.version === want.version && got.integrity === want.integrity && got.link === want.link;
  });
}

/**
 * What the installed folder is made from, for its stamp. Native packages differ by platform and Node's major version.
 * @param {string} root
 */
function dependencyStamp(root) {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const node = process.versions.node.split('.')[0];
  return createHash('sha256').update(lock).update(`${process.platform}-${process.arch}-node${node}`).digest('hex');
}

/** @param {string} file */
const readText = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/**
 * The environment for npm: nothing is downloaded from outside the registry, and a home that cannot be written is not used.
 * @param {Context} context
 */
export function npmEnv({ env, cacheDir }) {
  /** @type {NodeJS.ProcessEnv} */
  const out = { ...env, ONNXRUNTIME_NODE_INSTALL: 'skip', ONNXRUNTIME_NODE_INSTALL_CUDA: 'skip' };
  try {
    if (!env['HOME']) throw new Error('no home');
    accessSync(env['HOME'], constants.W_OK);
  } catch {
    out['npm_config_cache'] ??= join(cacheDir, 'npm');
  }
  return out;
}

/**
 * @param {Context} context
 * @param {string} root
 */
async function npmCi(context, root) {
  const packages = Object.entries(lockedPackages(join(root, 'package-lock.json')))
    .filter(([path, want]) => path.includes('node_modules/') && !want?.optional)
    .map(([path]) => join(root, path));
  const task = context.board.task('npm ci', { unit: 'steps' });
  const timer = setInterval(
    () => task.update(packages.filter((path) => existsSync(join(path, 'package.json'))).length, packages.length),
    700,
  );
  // Under `npm start` this is the npm that was called.
  const npm = context.env['npm_execpath'];
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  try {
    const args = [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'];
    const result = await run(command, args, { cwd: root, env: npmEnv(context), signal: context.signal });
    if (result.code !== 0)
      throw new BootstrapError(
        `The dependencies could not be installed (npm ci ended with code ${result.code}): ${lastLines(result.stderr, 4) || 'it said nothing'}.`,
        'Look whether npm reaches its registry from here, then start again.',
      );
    task.update(packages.length, packages.length);
  } finally {
    clearInterval(timer);
    task.end();
  }
}

/**
 * Makes node_modules what package-lock.json says.
 * @param {Context} context
 * @param {{ root?: string }} [options]
 * @returns {Promise<boolean>} whether anything had to be done
 */
export async function ensureDependencies(context, { root = repoRoot } = {}) {
  const stampFile = join(root, 'node_modules', '.reprise-stamp');
  const isFresh = () => readText(stampFile) === dependencyStamp(root);
  if (isFresh()) return false;
  return withLock(
    join(context.cacheDir, 'locks', 'install.lock'),
    async () => {
      if (isFresh()) return false;
      const wanted = lockedPackages(join(root, 'package-lock.json'));
      const installed = lockedPackages(join(root, 'node_modules', '.package-lock.json'));
      const done = !satisfies(wanted, installed);
      if (done) {
        context.board.say('Installing dependencies (npm ci).');
        await npmCi(context, root);
      }
      writeAtomic(stampFile, dependencyStamp(root));
      return done;
    },
    {
      signal: context.signal,
      onWait: (pid) => context.board.say(`Another start (process ${pid}) is installing dependencies: waiting for it.`),
    },
  );
}

/**
 * The files that the build reads, in a fixed order.
 * @param {string} root
 * @returns {string[]}
 */
function sourceFiles(root) {
  const out = ['package-lock.json', 'tsconfig.base.json']
    .map((name) => join(root, name))
    .filter((file) => existsSync(file));
  for (const group of ['libs', 'apps', 'tools']) {
    const dir = join(root, group);
    if (!existsSync(dir)) continue;
    for (const name of readdirSync(dir)) {
      for (const file of ['package.json', 'tsconfig.json'].map((f) => join(dir, name, f)))
        if (existsSync(file)) out.push(file);
      const src = join(dir, name, 'src');
      if (!existsSync(src)) continue;
      for (const entry of readdirSync(src, { recursive: true, withFileTypes: true }))
        if (entry.isFile() && !/\.spec\.ts$/.test(entry.name))
          out.push(join(entry.parentPath ?? entry.path, entry.name));
    }
  }
  return out.sort();
}

/**
 * A hash of all that the build reads.
 * @param {string} root
 */
export function sourceStamp(root) {
  const hash = createHash('sha256');
  for (const file of sourceFiles(root))
    hash.update(relative(root, file).split(sep).join('/')).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

/** The apps, each a project with its references: building them builds what they import. @param {string} root */
function appProjects(root) {
  const dir = join(root, 'apps');
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => existsSync(join(dir, name, 'tsconfig.json')) && existsSync(join(dir, name, 'src', 'main.ts')))
    .map((name) => join('apps', name));
}

/**
 * @param {Context} context
 * @param {string} root
 * @param {string[]} projects
 */
async function compile(context, root, projects) {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const task = context.board.task('building', { unit: 'steps' });
  let total = 0;
  let done = 0;
  try {
    const result = await run(process.execPath, [tsc, '-b', '--verbose', ...projects], {
      cwd: root,
      env: context.env,
      signal: context.signal,
      onLine(line) {
        if (/^ {4}\* /.test(line)) total++;
        if (/Project '.*' is (up to date|out of date)/.test(line)) task.update(done++, total);
      },
    });
    if (result.code !== 0) {
      const errors = result.stdout.split('\n').filter((line) => /error TS\d+/.test(line));
      throw new BootstrapError(
        `The build failed with ${errors.length} error(s): ${errors.slice(0, 3).join(' / ') || lastLines(result.stdout + result.stderr, 2)}.`,
        'npx tsc -b shows all of them.',
      );
    }
    task.update(total, total);
  } finally {
    task.end();
  }
}

/**
 * Makes dist/ of every app and what it imports from the sources.
 * @param {Context} context
 * @param {{ root?: string }} [options]
 * @returns {Promise<boolean>} whether anything had to be done
 */
export async function ensureBuild(context, { root = repoRoot } = {}) {
  const stampFile = join(root, 'node_modules', '.reprise-build');
  const projects = appProjects(root);
  const isFresh = () =>
    projects.every((project) => existsSync(join(root, project, 'dist', 'main.js'))) &&
    readText(stampFile) === sourceStamp(root);
  if (isFresh()) return false;
  return withLock(
    join(context.cacheDir, 'locks', 'build.lock'),
    async () => {
      if (isFresh()) return false;
      // Taken before the build: what changes meanwhile is built next time.
      const stamp = sourceStamp(root);
      if (projects.length > 0) await compile(context, root, projects);
      mkdirSync(join(root, 'node_modules'), { recursive: true });
      writeAtomic(stampFile, stamp);
      return true;
    },
    {
      signal: context.signal,
      onWait: (pid) => context.board.say(`Another start (process ${pid}) is building: waiting for it.`),
    },
  );
}
