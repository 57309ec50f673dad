import { metricTable, type MetricDefinition } from './metric-table.js';

function labelsText(labels: MetricDefinition['labels']): string {
  const parts = Object.entries(labels).map(([name, meaning]) =>
    typeof meaning === 'string'
      ? `\`${name}\` (${meaning})`
      : `\`${name}\`: ${meaning.map((v) => `\`${v}\``).join(' ')}`,
  );
  return parts.length === 0 ? '–' : parts.join('; ');
}

/** The page docs/reference/metrics.md. */
export function metricsReferenceMarkdown(): string {
  const rows = Object.entries(metricTable).map(
    ([name, { type, labels, help }]) => `| \`${name}\` | ${type} | ${labelsText(labels)} | ${help} |`,
  );
  return [
    '# Metrics',
    '',
    '<!-- generated from libs/observability/src/metrics/metric-table.ts; do not edit -->',
    '',
    'Served at `/metrics` in the Prometheus text format. Histograms are in seconds. No label holds text of a caller, a key or a tenant.',
    'A label has at most 500 series per metric; further ones are counted as `other`.',
    'With `telemetry.processMetrics` the usual `process_*` and `nodejs_*` metrics are there too, among them `nodejs_eventloop_lag_p99_seconds`.',
    '',
    '| metric | type | labels | meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
