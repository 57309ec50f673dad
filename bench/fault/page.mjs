// Writes docs/benchmarks/faults.md from bench/results/faults.json: `node bench/fault/page.mjs`; the bench does it too.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const allowedMs = 50;

function table(head, rows) {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at].length)));
  const line = (cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

export function writePage() {
  const { date, environment, results } = JSON.parse(readFileSync(`${root}bench/results/faults.json`, 'utf8'));
  const over = results.filter(({ scenario }) => !scenario.startsWith('nothing is wrong')).filter((r) => r.over50 > 0);
  const rows = results.map(({ scenario, requests, firstMs, laterMs, over50 }) => [
    scenario,
    `+${firstMs.median}`,
    `+${firstMs.max}`,
    `+${laterMs.p50}`,
    `+${laterMs.p99}`,
    `+${laterMs.max}`,
    `${over50} of ${requests}`,
  ]);
  const said = results.map(({ scenario, said: words }) => [
    scenario,
    Object.entries(words)
      .sort(([, a], [, b]) => b - a)
      .map(([word, count]) => `\`${word}\` ×${count}`)
      .join(', '),
  ]);
  const verdict =
    over.length === 0
      ? `No request under a fault took more than ${allowedMs} ms longer than the upstream itself.`
      : `Above ${allowedMs} ms: ${over.map(({ scenario, over50, requests }) => `${scenario} (${over50} of ${requests})`).join(', ')}.`;
  const head = [
    'fault',
    'first, median',
    'first, max',
    'later, p50',
    'later, p99',
    'later, max',
    `over ${allowedMs} ms`,
  ];
  const page = `# What faults add to a request

\`npm run bench -- --only fault\` (\`bench/fault\`): the gateway with its shipped limits beside the upstream itself. JSON, streams and follow-ups in turn, each new to the cache, so
that every one goes the whole way; milliseconds to the first byte, less the median of the same kind asked of the upstream directly. A fault strikes while the gateway is idle; the first
request is the first after it. This page is written by the bench from \`bench/results/faults.json\`.

${date.slice(0, 10)}, ${environment.cores} cores (${environment.cpu}), Node ${environment.node}, load average before the run ${environment.loadBefore.join(' ')}.

${table(head, rows)}

${verdict} With nothing wrong the times are those of a miss on a machine with that load: the limit is on waiting, not on work.

## What \`x-cache\` and \`x-cache-reason\` said

${table(['fault', 'answers'], said)}

Every answer had status 200.
`;
  writeFileSync(`${root}docs/benchmarks/faults.md`, page);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writePage();
