import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { metricTable } from './metric-table.js';
import { metricsReferenceMarkdown } from './metrics-reference.js';

describe('metricsReferenceMarkdown', () => {
  const page = metricsReferenceMarkdown();

  it.each(Object.keys(metricTable))('has a row for %s', (name) => {
    expect(page.split('\n').filter((row) => row.startsWith(`| \`${name}\` |`))).toHaveLength(1);
  });

  it('is the committed page (node libs/observability/scripts/write-reference.mjs)', () => {
    const committed = new URL('../../../../docs/reference/metrics.md', import.meta.url);
    expect(readFileSync(committed, 'utf8')).toBe(page);
  });
});
