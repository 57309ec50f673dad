// npm passes signals on, but not when it is killed outright: then only our ancestry tells.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * The parent of a process, or 0 when it cannot be told.
 * @param {number} pid
 */
function parentOf(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout) || 0;
  }
}

/**
 * Calls `gone` once when the npm that runs us is gone: npm starts a shell, and the shell starts us.
 * Without npm nothing is watched, so that a start in the background outlives its terminal.
 * @param {() => void} gone
 * @param {NodeJS.ProcessEnv} [env]
 */
export function whenNpmIsGone(gone, env = process.env) {
  if (!env['npm_lifecycle_event']) return;
  const shell = process.ppid;
  const npm = parentOf(shell);
  const timer = setInterval(() => {
    if (process.ppid === shell && parentOf(shell) === npm) return;
    clearInterval(timer);
    gone();
  }, 1_000);
  timer.unref();
}
