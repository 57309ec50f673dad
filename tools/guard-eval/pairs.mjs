// Labelled pairs of texts: our own from test/fixtures/guards, the shared ones from REPRISE_DATA_DIR when they are there.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('../../', import.meta.url));
const fixtures = join(root, 'test/fixtures/guards');

/**
 * @typedef {object} Pair
 * @property {string} id
 * @property {string} kind
 * @property {0 | 1} label 1: the answer to one serves the other
 * @property {string} a
 * @property {string} b
 * @property {string} [reason] the reason word that must refuse it
 * @property {number} [q8] cosine with the served model
 * @property {number} [fp32]
 */

/** @param {string} text @returns {Pair[]} */
const parseLines = (text) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** Pairs of our own, with their cosines (the adversary's have none: they are judged at 1). @param {'own' | 'en' | 'de' | 'adversary'} name */
export function ownPairs(name) {
  return parseLines(readFileSync(join(fixtures, `pairs.${name}.jsonl`), 'utf8'));
}

/** Folder of the shared data. */
export function sharedDataDir() {
  return resolve(root, process.env.REPRISE_DATA_DIR ?? '../shared/data');
}

/** Shared pairs without cosines; `undefined` when the data is not there. @param {'qqp' | 'sgd'} name */
export function sharedPairs(name) {
  const file = join(sharedDataDir(), 'pairs-single-turn', `${name}.jsonl.gz`);
  return existsSync(file) ? parseLines(gunzipSync(readFileSync(file)).toString('utf8')) : undefined;
}
