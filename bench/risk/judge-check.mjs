// The judge against the labelled reuse pairs of the data set: bar 5,237 of 5,237.
import { readLines } from './dataset.mjs';
import { acceptable, generallyAcceptable, turnFacts } from './judge.mjs';

/** { pairs, equal, general }: pairs whose label the judge reproduces, and pairs that the general label accepts. */
export function checkJudge() {
  const facts = new Map(readLines('conversations.jsonl.gz').map((c) => [c.id, turnFacts(c)]));
  const pairs = readLines('reuse-pairs.jsonl.gz');
  const sides = ({ cached, query }) => [facts.get(cached[0])[cached[1]], facts.get(query[0])[query[1]]];
  const equal = pairs.filter((pair) => acceptable(...sides(pair)) === pair.acceptable).length;
  const general = pairs.filter((pair) => generallyAcceptable(...sides(pair))).length;
  return { pairs: pairs.length, equal, general };
}

if (process.argv[1] === new URL(import.meta.url).pathname) console.log(checkJudge());
