import { describe, expect, it } from 'vitest';
import { createTelemetry } from './create-telemetry.js';
import { metricTable, type MetricDefinition, type MetricName } from './metric-table.js';

const make = (strict = true) => createTelemetry({ version: '9.9.9', strict });

/** The value of one line of the exposition. */
async function line(handle: ReturnType<typeof make>, start: string): Promise<number | undefined> {
  const found = (await handle.render()).split('\n').find((text) => text.startsWith(`${start} `));
  return found === undefined ? undefined : Number(found.slice(start.length + 1));
}

describe('counters', () => {
  it('add up per label values', async () => {
    const handle = make();
    const labels = { route: '/v1/chat/completions', cache: 'miss', reason: 'no-candidate' };
    for (let i = 0; i < 3; i += 1) handle.telemetry.count('reprise_requests_total', { ...labels });
    handle.telemetry.count('reprise_requests_total', { ...labels, cache: 'bypass' }, 5);
    const at = (cache: string) =>
      `reprise_requests_total{route="/v1/chat/completions",cache="${cache}",reason="no-candidate"}`;
    expect(await line(handle, at('miss'))).toBe(3);
    expect(await line(handle, at('bypass'))).toBe(5);
    expect(handle.total('reprise_requests_total')).toBe(8);
    expect(handle.total('reprise_requests_total', { cache: 'bypass' })).toBe(5);
  });

  it('the order of labels makes no second series', async () => {
    const handle = make();
    handle.telemetry.count('reprise_store_total', { command: 'exact', outcome: 'hit' });
    handle.telemetry.count('reprise_store_total', { outcome: 'hit', command: 'exact' });
    expect(await line(handle, 'reprise_store_total{command="exact",outcome="hit"}')).toBe(2);
  });

  it.each([
    ['reprise_saved_micro_usd_total', 'reprise_saved_micro_usd_total'],
    ['reprise_embed_cache_total', 'reprise_embed_cache_total{result="hit"}'],
    ['reprise_degraded_total', 'reprise_degraded_total{mode="cache-unavailable"}'],
  ] as const)('%s is there at zero before anything happened', async (_name, start) => {
    expect(await line(make(), start)).toBe(0);
  });

  it('never go down and ignore what is no number', async () => {
    const handle = make();
    handle.telemetry.count('reprise_saved_micro_usd_total', undefined, 7);
    for (const by of [-1, Number.NaN]) handle.telemetry.count('reprise_saved_micro_usd_total', undefined, by);
    expect(await line(handle, 'reprise_saved_micro_usd_total')).toBe(7);
  });

  it.each([
    ['quotes"', 'quotes\\"'],
    ['back\\slash', 'back\\\\slash'],
    ['new\nline', 'new\\nline'],
    ['ünï', 'ünï'],
  ])('a label value with %j is escaped', async (reason, written) => {
    const handle = make();
    handle.telemetry.count('reprise_semantic_skipped_total', { reason });
    expect(await handle.render()).toContain(`reprise_semantic_skipped_total{reason="${written}"} 1`);
  });

  it('free text in a label cannot fill the memory', async () => {
    const handle = make();
    for (let i = 0; i < 2_000; i += 1) handle.telemetry.count('reprise_semantic_skipped_total', { reason: `r${i}` });
    const lines = (await handle.render()).split('\n').filter((l) => l.startsWith('reprise_semantic_skipped_total{'));
    expect(lines.length).toBe(501);
    expect(lines).toContain('reprise_semantic_skipped_total{reason="other"} 1500');
    expect(handle.total('reprise_semantic_skipped_total')).toBe(2_000);
  });

  it('a very long label value is cut', async () => {
    const handle = make();
    handle.telemetry.count('reprise_semantic_skipped_total', { reason: 'x'.repeat(5_000) });
    expect(await handle.render()).toContain(`{reason="${'x'.repeat(80)}"}`);
  });
});

describe('histograms', () => {
  it('count milliseconds as seconds, into cumulative buckets', async () => {
    const handle = make();
    for (const ms of [0.4, 1, 1.5, 40, 5_000]) handle.telemetry.observeMs('reprise_embed_seconds', ms);
    const bucket = (le: string) => line(handle, `reprise_embed_seconds_bucket{le="${le}"}`);
    expect(await bucket('0.0005')).toBe(1);
    expect(await bucket('0.001')).toBe(2);
    expect(await bucket('0.002')).toBe(3);
    expect(await bucket('0.05')).toBe(4);
    expect(await bucket('1')).toBe(4);
    expect(await bucket('+Inf')).toBe(5);
    expect(await line(handle, 'reprise_embed_seconds_count')).toBe(5);
    expect(await line(handle, 'reprise_embed_seconds_sum')).toBeCloseTo(5.0429, 9);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('%d is left out', async (ms) => {
    const handle = make();
    handle.telemetry.observeMs('reprise_embed_seconds', ms);
    expect(await line(handle, 'reprise_embed_seconds_count')).toBe(0);
  });

  it('a clock that went back counts as zero', async () => {
    const handle = make();
    handle.telemetry.observeMs('reprise_embed_seconds', -3);
    expect(await line(handle, 'reprise_embed_seconds_bucket{le="0.0005"}')).toBe(1);
    expect(await line(handle, 'reprise_embed_seconds_sum')).toBe(0);
  });
});

describe('gauges', () => {
  it('are set, and read at every scrape', async () => {
    const handle = make();
    let pending = 1;
    handle.setGauge('reprise_up', 1, { part: 'redis' });
    handle.watchGauge('reprise_embed_queue', () => pending);
    expect(await line(handle, 'reprise_embed_queue')).toBe(1);
    pending = 4;
    expect(await line(handle, 'reprise_embed_queue')).toBe(4);
    expect(await line(handle, 'reprise_up{part="redis"}')).toBe(1);
    expect(await handle.render()).toContain(`reprise_build_info{version="9.9.9",node="${process.version}"} 1`);
  });

  it('one that cannot be read does not take the scrape along', async () => {
    const handle = make();
    handle.watchGauge('reprise_embed_queue', () => {
      throw new Error('gone');
    });
    expect(await line(handle, 'reprise_embed_queue')).toBe(0);
  });
});

describe('names that the table does not have', () => {
  const uses: readonly (readonly [string, (handle: ReturnType<typeof make>) => void])[] = [
    ['reprise_nothing_total', (h) => h.telemetry.count('reprise_nothing_total')],
    ['reprise_requests_total', (h) => h.telemetry.observeMs('reprise_requests_total', 1)],
    ['reprise_embed_seconds', (h) => h.telemetry.count('reprise_embed_seconds')],
    ['reprise_embed_total{tenant}', (h) => h.telemetry.count('reprise_embed_total', { tenant: 'x' })],
    ['toString', (h) => h.telemetry.count('toString')],
    ['__proto__', (h) => h.telemetry.count('__proto__')],
  ];

  it.each(uses)('%s throws in tests', (name, use) => {
    expect(() => use(make())).toThrow(name);
  });

  it.each(uses)('%s is counted in production', async (name, use) => {
    const handle = make(false);
    use(handle);
    expect(handle.total('reprise_unknown_metrics_total', { name })).toBe(1);
  });
});

describe('the table', () => {
  const entries = Object.entries(metricTable) as [MetricName, MetricDefinition][];

  it.each(entries)('%s follows the naming rules', (name, { type, help, labels, buckets }) => {
    expect(name).toMatch(/^reprise_[a-z_]+$/);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    expect(name.endsWith('_seconds')).toBe(type === 'histogram');
    expect(help).toMatch(/[.;]( |$)|\.$/);
    for (const label of Object.keys(labels)) expect(label).toMatch(/^[a-z]+$/);
    if (type === 'histogram') expect([...(buckets ?? [])]).toEqual([...(buckets ?? [])].sort((a, b) => a - b));
  });

  it('has no label that could hold a tenant, a key, a model or a text', () => {
    for (const [, { labels }] of entries) {
      for (const label of Object.keys(labels))
        expect(['tenant', 'ns', 'key', 'user', 'model', 'text']).not.toContain(label);
    }
  });

  it('the process metrics come only when asked for', async () => {
    expect(await make().render()).not.toContain('process_cpu');
    const text = await createTelemetry({ version: '1', processMetrics: true }).render();
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  });

  it('two processes in one (tests) have their own figures', () => {
    const [a, b] = [make(), make()];
    a.telemetry.count('reprise_feedback_total', { verdict: 'wrong' });
    expect([a.total('reprise_feedback_total'), b.total('reprise_feedback_total')]).toEqual([1, 0]);
  });
});
