// `node tools/guard-eval/gateway-results.mjs FILE …`: the outputs of `reprise eval pairs … --compare --json` as bench/results/guards-gateway.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const RESULTS = new URL('../../bench/results/guards-gateway.json', import.meta.url);

const files = process.argv.slice(2).map((path) => {
  const { file, pairs, overall, undecided, agreement } = JSON.parse(readFileSync(path, 'utf8'));
  return { file: basename(file), pairs, undecided, rules: overall, agreement };
});
for (const { file, agreement } of files)
  console.log(
    `${file}: ${agreement.compared - agreement.disagreements.length} of ${agreement.compared} verdicts are the library's`,
  );
writeFileSync(RESULTS, `${JSON.stringify({ files }, undefined, 2)}\n`);
