// What every step of the bootstrap shares: environment, folders, board, signal. Plain Node: it runs before node_modules exists.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createBoard } from './progress.mjs';

/** The root of the clone. */
export const repoRoot = resolve(fileURLToPath(new URL('../..', import.meta.url)));

/**
 * @typedef {object} Context
 * @property {NodeJS.ProcessEnv} env what the caller's environment says
 * @property {string} cacheDir where downloads and what is made of them are kept (REPRISE_CACHE_DIR, else .cache)
 * @property {import('./progress.mjs').Board} board where progress and sentences go
 * @property {AbortSignal} signal aborted when the caller wants to stop
 * @property {typeof import('./pins.json')} pins versions, sizes and hashes
 */

const pinned = /** @type {typeof import('./pins.json')} */ (
  JSON.parse(readFileSync(new URL('./pins.json', import.meta.url), 'utf8'))
);

/**
 * A context with defaults from this process.
 * @param {Partial<Context>} [given]
 * @returns {Context}
 */
export function createContext(given = {}) {
  const env = given.env ?? process.env;
  return {
    env,
    cacheDir: given.cacheDir ?? resolve(repoRoot, env['REPRISE_CACHE_DIR'] || '.cache'),
    board: given.board ?? createBoard(),
    signal: given.signal ?? new AbortController().signal,
    pins: given.pins ?? pinned,
  };
}

/**
 * The folder where whole downloads are kept.
 * @param {Context} context
 */
export const downloadsDir = (context) => join(context.cacheDir, 'downloads');

/** A failure that was foreseen: its message is one sentence for a person, `advice` says what to do. */
export class BootstrapError extends Error {
  /**
   * @param {string} message
   * @param {string} [advice]
   */
  constructor(message, advice = '') {
    super(advice ? `${message} ${advice}` : message);
    this.name = 'BootstrapError';
  }
}

/**
 * The sentence of an error, whatever was thrown.
 * @param {unknown} error
 */
export const sentence = (error) => (error instanceof Error ? error.message : String(error));

/** This machine as pins.json names it: linux-x64, linux-arm64, darwin-arm64 and so on. */
export const platformKey = () => `${process.platform}-${process.arch}`;
