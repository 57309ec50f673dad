// One holder at a time between processes, by a lock file. A holder that died is noticed: by its process where that can
// be looked up, by its heartbeat where it cannot (another host or container on the same folder).
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const HEARTBEAT_MS = 2_000;
const SILENT_MS = 60_000;
const POLL_MS = 100;

/**
 * When the process started, in the kernel's ticks, so that a reused pid is not taken for the holder; '' where unknown.
 * @param {number} pid
 */
function startOf(pid) {
  try {
    // The command, field 2, may hold spaces and brackets: count from its closing bracket. Field 22 is the start time.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/**
 * Whether a process with this pid runs (also when it belongs to somebody else).
 * @param {number} pid
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/** @param {string} file */
function readHolder(file) {
  try {
    const { mtimeMs } = statSync(file);
    const text = readFileSync(file, 'utf8');
    try {
      const { pid, host, start, id } = JSON.parse(text);
      return { pid: Number(pid), host: String(host), start: String(start), id: String(id), mtimeMs };
    } catch {
      // Created and not yet written, or its writer died in between.
      return { pid: 0, host: '', start: '', id: text, mtimeMs };
    }
  } catch {
    return undefined;
  }
}

/** @param {NonNullable<ReturnType<typeof readHolder>>} holder */
function isStale(holder) {
  const silentMs = Date.now() - holder.mtimeMs;
  if (holder.pid === 0) return silentMs > 5_000;
  if (holder.host !== hostname()) return silentMs > SILENT_MS;
  if (!isAlive(holder.pid)) return true;
  const start = startOf(holder.pid);
  return holder.start !== '' && start !== '' && start !== holder.start;
}

/**
 * Removes a stale lock. Only one waiter may: between its look and its removal another could have taken the lock anew.
 * @param {string} file
 * @param {string} id the holder that was seen to be gone
 */
function breakLock(file, id) {
  const breaker = `${file}.break`;
  try {
    writeFileSync(breaker, String(process.pid), { flag: 'wx' });
  } catch {
    const other = readHolder(breaker);
    if (other && Date.now() - other.mtimeMs > 10_000) rmSync(breaker, { force: true });
    return;
  }
  try {
    const holder = readHolder(file);
    if (holder && holder.id === id && isStale(holder)) rmSync(file, { force: true });
  } finally {
    rmSync(breaker, { force: true });
  }
}

/**
 * Takes the lock or says who has it.
 * @param {string} file
 * @returns {{ release: () => void } | { holder: ReturnType<typeof readHolder> }}
 */
function tryLock(file) {
  const id = randomUUID();
  const text = JSON.stringify({ pid: process.pid, host: hostname(), start: startOf(process.pid), id });
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    return { holder: readHolder(file) };
  }
  const beat = setInterval(() => {
    try {
      utimesSync(file, new Date(), new Date());
    } catch {
      // The folder was removed under us: nothing left to keep alive.
    }
  }, HEARTBEAT_MS);
  beat.unref();
  return {
    release() {
      clearInterval(beat);
      if (readHolder(file)?.id === id) rmSync(file, { force: true });
    },
  };
}

/**
 * Runs `work` while holding the lock file; waits while a live process holds it.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {{ signal?: AbortSignal, onWait?: (pid: number) => void }} [options] `onWait` is called once, when it has to wait
 * @returns {Promise<T>}
 */
export async function withLock(file, work, { signal, onWait } = {}) {
  mkdirSync(dirname(file), { recursive: true });
  let told = false;
  for (;;) {
    signal?.throwIfAborted();
    const got = tryLock(file);
    if ('release' in got) {
      try {
        return await work();
      } finally {
        got.release();
      }
    }
    if (got.holder && isStale(got.holder)) {
      breakLock(file, got.holder.id);
      continue;
    }
    if (!told && got.holder) onWait?.(got.holder.pid);
    told = true;
    await sleep(POLL_MS);
  }
}
