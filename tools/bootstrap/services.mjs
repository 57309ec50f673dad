// The gateway and the worker as child processes: started, watched, drained.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BootstrapError, repoRoot } from './context.mjs';
import { gatewayNodeArgs, withGatewayMalloc } from './gateway-node.mjs';
import { parentWatch } from './run.mjs';

/**
 * @typedef {object} Service
 * @property {string} name
 * @property {number | undefined} pid
 * @property {Promise<number>} exited its exit code (128 + 15 after a signal)
 * @property {() => Promise<boolean>} drain stops it; false when it had to be killed
 * @property {() => void} kill ends it at once
 */

const DRAIN_MS = 15_000;

/** Path of an app's compiled main. @param {string} name */
export const mainOf = (name) => join(repoRoot, 'apps', name, 'dist', 'main.js');

/**
 * Starts one Node program. It has its own process group, so that Ctrl-C reaches the starter alone, which drains in order.
 * @param {string} name
 * @param {string} script
 * @param {NodeJS.ProcessEnv} env
 * @param {{ drainMs?: number }} [options] how long it may take to finish its work
 * @returns {Service}
 */
export function startService(name, script, env, { drainMs = DRAIN_MS } = {}) {
  if (!existsSync(script))
    throw new BootstrapError(`The ${name} is not built: ${script} does not exist.`, 'npx tsc -b says why.');
  const isGateway = name === 'gateway';
  const args = [...(isGateway ? gatewayNodeArgs : []), '--enable-source-maps', '--import', parentWatch, script];
  const child = spawn(process.execPath, args, {
    env: { ...(isGateway ? withGatewayMalloc(env) : env), REPRISE_ROPE_FD: '3' },
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    detached: true,
  });
  child.stdio[3]?.on('error', () => {});
  let ended = false;
  /** @type {Promise<number>} */
  const exited = new Promise((done) => {
    child.once('error', () => done(127));
    child.once('exit', (code, signal) => done(code ?? (signal === 'SIGKILL' ? 137 : 143)));
  });
  void exited.then(() => (ended = true));
  return {
    name,
    pid: child.pid,
    exited,
    kill: () => void child.kill('SIGKILL'),
    async drain() {
      if (ended) return true;
      child.kill('SIGTERM');
      const timer = new AbortController();
      const late = sleep(drainMs, 'late', { signal: timer.signal }).catch(() => 'late');
      const inTime = (await Promise.race([exited, late])) !== 'late';
      timer.abort();
      if (!inTime) child.kill('SIGKILL');
      await exited;
      return inTime;
    },
  };
}

/**
 * What /readyz says is degraded; undefined while the gateway is not ready at all.
 * @param {string} url
 * @param {AbortSignal} signal
 * @returns {Promise<{ degraded: string[] } | { problem: string }>}
 */
async function askReady(url, signal) {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(2_000)]) });
    const text = await response.text();
    if (!response.ok) return { problem: `${response.status} ${text.slice(0, 300)}` };
    const body = JSON.parse(text);
    return { degraded: Array.isArray(body.degraded) ? body.degraded.map(String) : [] };
  } catch (error) {
    signal.throwIfAborted();
    return {
      problem: error instanceof Error && error.name === 'TimeoutError' ? 'no answer within 2 s' : 'it did not answer',
    };
  }
}

/**
 * Waits until /readyz says ready with nothing degraded. What stays degraded after a while is given back: the gateway
 * works without it, and says so itself.
 * @param {string} url
 * @param {{ exited: Promise<number>, signal: AbortSignal, timeoutMs: number, settleMs?: number }} options
 * @returns {Promise<string[]>} what is degraded
 * @throws {BootstrapError} when it ends by itself or is not ready in time
 */
export async function waitReady(url, { exited, signal, timeoutMs, settleMs = 5_000 }) {
  /** @type {number | undefined} */
  let code;
  void exited.then((c) => (code = c));
  const untilMs = Date.now() + timeoutMs;
  let settledMs = Infinity;
  let problem = 'it did not answer';
  while (Date.now() < untilMs) {
    if (code !== undefined)
      throw new BootstrapError(`The gateway stopped by itself (exit code ${code}); its last lines above say why.`);
    const answer = await askReady(url, signal);
    if ('degraded' in answer) {
      settledMs = Math.min(settledMs, Date.now() + settleMs);
      if (answer.degraded.length === 0 || Date.now() >= settledMs) return answer.degraded;
    } else problem = answer.problem;
    await sleep(50, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
  throw new BootstrapError(`The gateway is not ready after ${timeoutMs / 1000} s: ${problem}.`);
}
