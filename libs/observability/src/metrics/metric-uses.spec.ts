import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isMetricName, metricTable, type MetricDefinition } from './metric-table.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Every source file of the product, without tests. */
function sources(): string[] {
  return ['libs', 'apps'].flatMap((top) =>
    readdirSync(join(root, top)).flatMap((part) => {
      const dir = join(root, top, part, 'src');
      try {
        return readdirSync(dir, { recursive: true, encoding: 'utf8' })
          .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
          .map((file) => join(dir, file));
      } catch {
        return [];
      }
    }),
  );
}

/** Uses of a metric in the source: file, name, and the label names where they are written out. */
function uses() {
  const call = /\b(count|observeMs|setGauge|watchGauge)\(\s*['"](reprise_\w+)['"]([^;]*?)\)\s*[;,)]/g;
  return sources().flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(call)].map((match) => ({
      file: file.slice(root.length),
      method: match[1] ?? '',
      name: match[2] ?? '',
      labels: labelsOf(match[3] ?? ''),
    })),
  );
}

/** The names in the first object literal of an argument list. */
function labelsOf(text: string): string[] {
  const literal = /\{([^{}]*)\}/.exec(text.replace(/`[^`]*`/g, "''"))?.[1] ?? '';
  return literal
    .split(',')
    .map((part) => /^\s*(\w+)\s*(?::|$)/.exec(part)?.[1])
    .filter((name) => name !== undefined);
}

describe('metrics that the product uses', () => {
  const all = uses();

  it('are found by this test', () => {
    expect(all.filter((use) => use.name === 'reprise_embed_total').length).toBeGreaterThan(1);
    expect(all.find((use) => use.name === 'reprise_embed_restarts_total')?.labels).toEqual(['cause']);
  });

  it('are in the table, with their labels and in their kind', () => {
    const wrong = all.filter(({ name, method, labels }) => {
      if (!isMetricName(name)) return true;
      const definition: MetricDefinition = metricTable[name];
      const kind = method === 'observeMs' ? 'histogram' : method === 'count' ? 'counter' : 'gauge';
      return definition.type !== kind || labels.some((label) => !(label in definition.labels));
    });
    expect(wrong).toEqual([]);
  });
});
