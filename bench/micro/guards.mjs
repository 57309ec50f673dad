// The guard rule: parsing texts of 15 words, comparing stored fingerprints, and one text of 12,000 characters.
import { readFileSync } from 'node:fs';
import { compareFingerprints, decodeFingerprint, encodeFingerprint, parseFingerprint } from '@reprise/policy';
import { Bench } from 'tinybench';

const fixtures = new URL('../../test/fixtures/guards/', import.meta.url);

/** @returns {{ a: string, b: string }[]} */
function pairs() {
  const lines = ['own', 'en', 'de'].flatMap((name) =>
    readFileSync(new URL(`pairs.${name}.jsonl`, fixtures), 'utf8').split('\n'),
  );
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

/** Questions of exactly `count` words, made of two of ours. */
function textsOf(count) {
  const texts = pairs().flatMap(({ a, b }) => [a, b]);
  return texts.map((text, at) =>
    `${text} ${texts[(at + 7) % texts.length]} please tell me more about it now`.split(' ').slice(0, count).join(' '),
  );
}

const cycle = (list) => {
  let at = 0;
  return () => list[(at += 1) % list.length];
};

export async function run({ smoke }) {
  const bench = new Bench({ time: smoke ? 20 : 1000, warmupTime: smoke ? 5 : 300 });
  const nextText = cycle(textsOf(15));
  const rows = pairs().map(({ a, b }) => {
    const stored = [a, b].map((text) => encodeFingerprint(parseFingerprint(text)));
    return { parsed: stored.map((each) => decodeFingerprint(each)), stored };
  });
  const nextRow = cycle(rows);
  const long = 'The crew of the barge waits in the lock, counts 14 crates of tea and plays cards until noon. '
    .repeat(140)
    .slice(0, 12_000);
  bench
    .add('parse, 15 words', () => void parseFingerprint(nextText()))
    .add('compare, both at hand', () => {
      const [a, b] = nextRow().parsed;
      compareFingerprints(a, b, 0.95);
    })
    .add('read one stored and compare', () => {
      const { parsed, stored } = nextRow();
      compareFingerprints(parsed[0], decodeFingerprint(stored[1]), 0.95);
    })
    .add('parse, 12,000 characters', () => void parseFingerprint(long));
  await bench.run();
  for (const { name, result } of bench.tasks) {
    const us = (ms) => `${(ms * 1000).toFixed(1)} µs`;
    console.log(
      `guards: ${name}: median ${us(result.latency.p50)}, mean ${us(result.latency.mean)}, p99 ${us(result.latency.p99)}`,
    );
  }
}
