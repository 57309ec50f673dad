// The cold-start rule on sgd-ticketing: `strict-similarity` on first turns, and how soon the sequential test closes it.
// Bar: closed after at most 40 judged hits in every order, at most 15 wrong ones served until then.
import { decideStrictSimilarity, encodeFingerprint, parseFingerprint, SequentialClose } from '@reprise/policy';
import { conversationSets } from './dataset.mjs';
import { readVectors } from './embed.mjs';
import { generallyAcceptable, turnFacts } from './judge.mjs';
import { numpyRng } from './numpy-random.mjs';

const SIZE = 384;
const LEAST_COSINE = 0.8;
const RETRIEVED = 16;

function firstTurns(conversations) {
  const { texts, vectors } = readVectors();
  const index = new Map(texts.map((text, i) => [text, i]));
  return conversations.map((conversation, i) => {
    const text = conversation.turns[0].user;
    const at = index.get(text) * SIZE;
    const fingerprint = parseFingerprint(text);
    return {
      id: String(i),
      vector: vectors.subarray(at, at + SIZE),
      fingerprint,
      encoded: encodeFingerprint(fingerprint),
      facts: turnFacts(conversation)[0],
    };
  });
}

/** Other first turns of cosine ≥ .8, nearest first. */
function neighbours(turns) {
  const near = turns.map(() => []);
  turns.forEach((a, i) => {
    for (let j = 0; j < i; j += 1) {
      let cosine = 0;
      for (let k = 0; k < SIZE; k += 1) cosine += a.vector[k] * turns[j].vector[k];
      if (cosine < LEAST_COSINE) continue;
      near[i].push({ other: j, cosine });
      near[j].push({ other: i, cosine });
    }
  });
  for (const list of near) list.sort((a, b) => b.cosine - a.cosine || a.other - b.other);
  return near;
}

function oneOrder(turns, near, order, budget) {
  const live = new Set();
  const test = new SequentialClose(budget);
  const result = { order, closedAfter: null, wrongUntilClosed: 0, hits: 0, wrong: 0 };
  for (const i of numpyRng(1000 + order).permutation(turns.length)) {
    const turn = turns[i];
    const candidates = near[i]
      .filter(({ other }) => live.has(other))
      .slice(0, RETRIEVED)
      .map(({ other, cosine }) => ({
        id: turns[other].id,
        similarity: cosine,
        fingerprint: turns[other].encoded,
        firstTurn: true,
      }));
    const decision = decideStrictSimilarity(turn.fingerprint, true, candidates, {});
    if (!decision.serve) {
      live.add(i);
      continue;
    }
    const rejected = generallyAcceptable(turns[Number(decision.candidate.id)].facts, turn.facts) ? 0 : 1;
    result.hits += 1;
    result.wrong += rejected;
    if (test.closed) continue;
    result.wrongUntilClosed += rejected;
    if (test.add(rejected)) result.closedAfter = result.hits;
  }
  return result;
}

/** One line an order: judged hits until the rule closed, wrong ones among them; hits and wrong ones had it stayed open. */
export function coldStart(set = 'A', budget = 0.05) {
  const turns = firstTurns(conversationSets()[set]);
  const near = neighbours(turns);
  return [0, 1, 2, 3, 4].map((order) => oneOrder(turns, near, order, budget));
}

if (process.argv[1] === new URL(import.meta.url).pathname) for (const row of coldStart()) console.log(row);
