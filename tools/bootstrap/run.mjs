// Runs other programs.
import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** URL of the preload that stops a Node process when its starter is gone. */
export const parentWatch = new URL('./parent-watch.mjs', import.meta.url).href;

/**
 * The program on the PATH, or undefined.
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 */
export function which(name, env) {
  for (const dir of (env['PATH'] ?? '').split(delimiter)) {
    if (!dir) continue;
    const file = join(dir, name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // Not here.
    }
  }
  return undefined;
}

/**
 * Runs a program to its end and gives what it printed; a program that cannot be started has code 127.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, signal?: AbortSignal, timeoutMs?: number, onLine?: (line: string) => void }} [options]
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
export function run(command, args, { env = process.env, cwd, signal, timeoutMs, onLine } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, cwd, timeout: timeoutMs, stdio: ['ignore', 'pipe', 'pipe'] });
    // Given up only when the program is gone: whoever cleans up after it must not race with it.
    const stop = () => {
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), 3_000).unref();
    };
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    let stdout = '';
    let stderr = '';
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
      if (!onLine) return;
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(onLine);
    });
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    let unstarted = '';
    child.on('error', (error) => (unstarted = error.message));
    child.on('close', (code) => {
      signal?.removeEventListener('abort', stop);
      if (signal?.aborted) reject(signal.reason);
      else if (unstarted) resolve({ code: 127, stdout, stderr: unstarted });
      else resolve({ code: code ?? 1, stdout, stderr });
    });
  });
}

/**
 * Runs a program that shares our terminal; gives its exit code (128 + number for a signal).
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, stdin?: boolean }} [options]
 * @returns {Promise<number>}
 */
export function runInherited(command, args, { env = process.env, cwd, stdin = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env,
      cwd,
      stdio: [stdin ? 'inherit' : 'ignore', 'inherit', 'inherit', 'pipe'],
    });
    child.stdio[3]?.on('error', () => {});
    /** @param {NodeJS.Signals} signal */
    const pass = (signal) => {
      // A terminal sends its Ctrl-C to the whole group, so the child has it already.
      if (signal === 'SIGTERM' || !process.stdin.isTTY) child.kill(signal);
    };
    process.on('SIGINT', pass).on('SIGTERM', pass);
    const done = (/** @type {number} */ code) => {
      process.off('SIGINT', pass).off('SIGTERM', pass);
      resolve(code);
    };
    child.on('error', () => done(127));
    child.on('close', (code, signal) => done(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}

/**
 * `runInherited` for a Node script, which also stops when this process is gone (parent-watch.mjs).
 * @param {string[]} args script and its arguments
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, stdin?: boolean }} [options]
 */
export function runNode(args, { env = process.env, ...options } = {}) {
  return runInherited(process.execPath, ['--import', parentWatch, ...args], {
    ...options,
    env: { ...env, REPRISE_ROPE_FD: '3' },
  });
}

/**
 * The last lines of an output with something in them, for a sentence.
 * @param {string} text
 * @param {number} [count]
 */
export function lastLines(text, count = 1) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(-count)
    .join(' / ');
}
