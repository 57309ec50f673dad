// sgd-ticketing as the reference read it: conversations in the order of their ids, sets A and D from one permutation.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { numpyRng } from './numpy-random.mjs';

const SET_SEED = 20260701;
const SET_SIZE = 2200;

const root = new URL('../../', import.meta.url).pathname;

/** Folder of the data set: under REPRISE_DATA_DIR, or the data folder beside this repository. It is not part of it. */
export const dataFolder = () => `${process.env.REPRISE_DATA_DIR ?? `${root}../shared/data`}/sgd-ticketing`;

export const readLines = (name) =>
  gunzipSync(readFileSync(`${dataFolder()}/${name}`))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

export const readSchema = () => JSON.parse(gunzipSync(readFileSync(`${dataFolder()}/schema.json.gz`)).toString('utf8'));

/** { A, D }: 2,200 conversations each; everything was chosen on A, D only confirms. */
export function conversationSets() {
  const all = readLines('conversations.jsonl.gz').sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const shuffled = numpyRng(SET_SEED)
    .permutation(all.length)
    .map((i) => all[i]);
  return { A: shuffled.slice(0, SET_SIZE), D: shuffled.slice(SET_SIZE, 2 * SET_SIZE) };
}
