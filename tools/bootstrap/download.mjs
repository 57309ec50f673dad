// Downloads a file over HTTP: resumed where it was cut, checked against its pin, put in place in one step.
import { createWriteStream, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BootstrapError, sentence } from './context.mjs';
import { isWhole, verifyPinned } from './files.mjs';
import { withLock } from './lock.mjs';

/** @typedef {{ url: string, to: string, lock: string, label: string, bytes: number | null, sha256: string | null }} DownloadOrder */
/** @typedef {import('./context.mjs').Context} Context */

const CONNECT_MS = 4_000;
const STALL_MS = 30_000;

/**
 * A signal that fires when `beat` is not called for `silentMs`.
 * @param {AbortSignal} outer
 * @param {number} silentMs
 */
function watchdog(outer, silentMs) {
  const controller = new AbortController();
  const fire = () => controller.abort(new Error('no answer in time'));
  let timer = setTimeout(fire, silentMs);
  return {
    signal: AbortSignal.any([outer, controller.signal]),
    /** @param {number} nextMs */
    beat(nextMs) {
      clearTimeout(timer);
      timer = setTimeout(fire, nextMs);
    },
    stop: () => clearTimeout(timer),
  };
}

/**
 * What an error of fetch means, with the cause that undici hides.
 * @param {unknown} error
 */
function reason(error) {
  const cause = /** @type {{ cause?: unknown }} */ (error)?.cause;
  const code = /** @type {NodeJS.ErrnoException | undefined} */ (cause)?.code;
  return code ?? sentence(cause ?? error);
}

/**
 * One request that adds what is missing to the part file.
 * @param {Context} context
 * @param {DownloadOrder} order
 * @param {string} part
 */
async function fetchMissing(context, order, part) {
  // Without a pinned hash nothing could tell that the two halves belong together: begin again.
  const have = order.sha256 !== null && existsSync(part) ? statSync(part).size : 0;
  const dog = watchdog(context.signal, CONNECT_MS);
  const task = context.board.task(order.label);
  try {
    const response = await fetch(order.url, {
      signal: dog.signal,
      headers: have > 0 ? { range: `bytes=${have}-` } : {},
    });
    if (response.status === 416) return; // Nothing is missing; the hash decides.
    if (!response.ok || !response.body)
      throw new BootstrapError(`${new URL(order.url).host} answered ${response.status} for ${order.label}.`);
    const at = response.status === 206 ? have : 0;
    const total = order.bytes ?? at + Number(response.headers.get('content-length') ?? 0);
    let done = at;
    const count = new Transform({
      transform(piece, _encoding, next) {
        dog.beat(STALL_MS);
        task.update((done += piece.length), total);
        next(null, piece);
      },
    });
    dog.beat(STALL_MS);
    const body = /** @type {import('node:stream/web').ReadableStream} */ (response.body);
    await pipeline(Readable.fromWeb(body), count, createWriteStream(part, { flags: at > 0 ? 'a' : 'w' }), {
      signal: dog.signal,
    });
  } finally {
    dog.stop();
    task.end();
  }
}

/**
 * The file on disk: kept from before, or downloaded. After an interruption the part that came is kept and continued.
 * @param {Context} context
 * @param {DownloadOrder} order
 * @returns {Promise<string>} path of the file
 * @throws {BootstrapError} when it cannot be had, or its hash is another
 */
export async function download(context, order) {
  if (await isWhole(order.to, order.sha256)) return order.to;
  const onWait = (/** @type {number} */ pid) =>
    context.board.say(`Another start (process ${pid}) is fetching ${order.label}: waiting for it.`);
  return withLock(
    order.lock,
    async () => {
      if (await isWhole(order.to, order.sha256)) return order.to;
      const part = `${order.to}.part`;
      mkdirSync(dirname(order.to), { recursive: true });
      try {
        await fetchMissing(context, order, part);
      } catch (error) {
        context.signal.throwIfAborted();
        if (error instanceof BootstrapError) throw error;
        throw new BootstrapError(
          `${order.label} could not be fetched from ${new URL(order.url).host}: ${reason(error)}.`,
        );
      }
      if (!existsSync(part)) throw new BootstrapError(`${order.label}: nothing came.`);
      await verifyPinned(part, { name: order.label, bytes: order.bytes, sha256: order.sha256 });
      renameSync(part, order.to);
      return order.to;
    },
    { signal: context.signal, onWait },
  );
}
