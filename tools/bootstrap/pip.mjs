// Fetches a Python wheel as an archive, through pip and by package name: nothing of it is installed or imported.
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BootstrapError, downloadsDir } from './context.mjs';
import { isWhole, verifyPinned } from './files.mjs';
import { withLock } from './lock.mjs';
import { formatBytes } from './progress.mjs';
import { lastLines, run, which } from './run.mjs';

/** @typedef {{ package: string, version: string, tag: string, file: string, bytes: number, sha256: string }} WheelPin */
/** @typedef {import('./context.mjs').Context} Context */

/**
 * How pip is called on this machine, or undefined.
 * @param {NodeJS.ProcessEnv} env
 */
async function findPip(env) {
  for (const python of ['python3', 'python']) {
    if (!which(python, env)) continue;
    if ((await run(python, ['-m', 'pip', '--version'], { env, timeoutMs: 20_000 })).code === 0)
      return [python, '-m', 'pip'];
  }
  for (const pip of ['pip3', 'pip']) if (which(pip, env)) return [pip];
  return undefined;
}

/**
 * The largest file anywhere under a folder, in bytes: pip's growing download, wherever this version of pip puts it.
 * @param {string} dir
 * @returns {number}
 */
function largestFile(dir) {
  let most = 0;
  try {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const path = join(dir, entry.name);
      most = Math.max(most, entry.isDirectory() ? largestFile(path) : statSync(path).size);
    }
  } catch {
    // pip moved or removed it between the look and the size.
  }
  return most;
}

/**
 * @param {Context} context
 * @param {WheelPin} pin
 * @param {string[]} pip
 */
async function callPip(context, pin, pip) {
  const scratchRoot = join(context.cacheDir, 'tmp');
  const prefix = `pip-${pin.package}-`;
  mkdirSync(scratchRoot, { recursive: true });
  // We hold the lock of this package: what an interrupted run left can go.
  for (const name of readdirSync(scratchRoot))
    if (name.startsWith(prefix)) rmSync(join(scratchRoot, name), { recursive: true, force: true });
  const scratch = mkdtempSync(join(scratchRoot, prefix));
  const task = context.board.task(`${pin.package} ${pin.version}`);
  const timer = setInterval(() => task.update(largestFile(scratch), pin.bytes), 200);
  try {
    const out = join(scratch, 'out');
    const platform = ['--python-version', '3.11', '--implementation', 'cp', '--abi', 'cp311', '--platform', pin.tag];
    const options = [
      '--no-deps',
      '--only-binary=:all:',
      '--no-cache-dir',
      '--disable-pip-version-check',
      '--no-input',
      '--quiet',
    ];
    const [command = 'pip', ...first] = pip;
    const result = await run(
      command,
      [...first, 'download', ...options, ...platform, '--dest', out, `${pin.package}==${pin.version}`],
      {
        env: { ...context.env, TMPDIR: scratch },
        signal: context.signal,
      },
    );
    const file = join(out, pin.file);
    if (result.code !== 0)
      throw new BootstrapError(
        `pip could not fetch ${pin.package} ${pin.version} (${formatBytes(pin.bytes)}): ${lastLines(result.stderr) || `it ended with code ${result.code}`}.`,
        'Look whether pip reaches its package index from here (proxy, certificate, index setting), then start again.',
      );
    await verifyPinned(file, { name: pin.file, bytes: pin.bytes, sha256: pin.sha256 });
    const kept = join(downloadsDir(context), pin.file);
    mkdirSync(downloadsDir(context), { recursive: true });
    renameSync(file, kept);
    task.update(pin.bytes, pin.bytes);
    return kept;
  } finally {
    clearInterval(timer);
    task.end();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * The pinned wheel on disk: kept from before, or fetched by pip and checked. Two callers at once make one download.
 * @param {Context} context
 * @param {WheelPin} pin
 * @returns {Promise<string>} path of the wheel
 * @throws {BootstrapError} without pip, without the package, or when its hash is another
 */
export async function fetchWheel(context, pin) {
  const kept = join(downloadsDir(context), pin.file);
  if (await isWhole(kept, pin.sha256)) return kept;
  return withLock(
    join(context.cacheDir, 'locks', `${pin.package}.lock`),
    async () => {
      if (await isWhole(kept, pin.sha256)) return kept;
      const pip = await findPip(context.env);
      if (!pip)
        throw new BootstrapError(
          `${pin.package} is a Python package and neither python3 -m pip nor pip is on the PATH.`,
          'Install pip (Debian: apt-get install python3-pip).',
        );
      return callPip(context, pin, pip);
    },
    {
      signal: context.signal,
      onWait: (pid) => context.board.say(`Another start (process ${pid}) is fetching ${pin.package}: waiting for it.`),
    },
  );
}
