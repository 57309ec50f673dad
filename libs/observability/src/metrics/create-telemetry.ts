import type { Telemetry } from '@reprise/kernel';
import { collectDefaultMetrics, Registry, type Metric } from 'prom-client';
import { metricTable, type MetricDefinition, type MetricName } from './metric-table.js';
import { HistogramSeries, NumberSeries, type Labels } from './series.js';

export interface TelemetryOptions {
  /** Version of Reprise, for reprise_build_info. */
  readonly version: string;
  /** True in tests: a name or label that the table does not have throws. Else it is counted. */
  readonly strict?: boolean;
  /** Also the process's own metrics (memory, CPU, garbage collection, event loop lag). */
  readonly processMetrics?: boolean;
}

export interface TelemetryHandle {
  readonly telemetry: Telemetry;
  /** The exposition for /metrics. */
  render(): Promise<string>;
  readonly contentType: string;
  readonly registry: Registry;
  /** Sets a gauge of the table. */
  setGauge(name: MetricName, value: number, labels?: Labels): void;
  /** Reads a gauge at every scrape. */
  watchGauge(name: MetricName, read: () => number, labels?: Labels): void;
  /** The sum of a counter over the series with these labels; for tests, /readyz and the demo's table. */
  total(name: MetricName, labels?: Labels): number;
}

type Series = NumberSeries | HistogramSeries;

const MS_PER_SECOND = 1_000;

/** The registry of one process, with every metric of the table. */
export function createTelemetry(options: TelemetryOptions): TelemetryHandle {
  const registry = new Registry();
  const table = new Map<string, Series>();
  const watched: (() => void)[] = [];
  for (const [name, definition] of Object.entries(metricTable)) {
    const series =
      definition.type === 'histogram' ? new HistogramSeries(name, definition) : new NumberSeries(name, definition);
    table.set(name, series);
    registry.registerMetric(asMetric(series, definition));
  }
  if (options.processMetrics === true) collectDefaultMetrics({ register: registry });

  const unknown = (name: string): void => {
    if (options.strict === true) throw new Error(`libs/observability/src/metrics/metric-table.ts has no ${name}`);
    (table.get('reprise_unknown_metrics_total') as NumberSeries).add({ name }, 1);
  };
  const find = <S extends Series>(kind: new (...args: never[]) => S, name: string, labels?: Labels): S | undefined => {
    const series = table.get(name);
    if (!(series instanceof kind)) {
      unknown(name);
      return undefined;
    }
    const strange = series.strange(labels);
    if (strange !== undefined) unknown(`${name}{${strange}}`);
    return series;
  };

  const telemetry: Telemetry = {
    count: (name, labels, by = 1) => {
      if (by >= 0) find(NumberSeries, name, labels)?.add(labels, by);
    },
    observeMs: (name, ms, labels) => {
      if (Number.isFinite(ms)) find(HistogramSeries, name, labels)?.observe(labels, Math.max(0, ms) / MS_PER_SECOND);
    },
  };
  const setGauge: TelemetryHandle['setGauge'] = (name, value, labels) =>
    find(NumberSeries, name, labels)?.set(labels, value);
  setGauge('reprise_build_info', 1, { version: options.version, node: process.version });

  return {
    telemetry,
    registry,
    contentType: registry.contentType,
    setGauge,
    watchGauge: (name, read, labels) => {
      watched.push(() => {
        try {
          setGauge(name, read(), labels);
        } catch {
          // What is being closed may not be readable any more; the scrape goes on with the last value.
        }
      });
    },
    total: (name, labels = {}) => totalOf(table.get(name), labels),
    render: () => {
      for (const update of watched) update();
      return registry.metrics();
    },
  };
}

function asMetric(series: Series, definition: MetricDefinition): Metric {
  const get = () =>
    Promise.resolve({
      name: series.name,
      help: definition.help,
      type: definition.type,
      values: series.values(),
      aggregator: 'sum',
    });
  // The registry needs only a name and get(); the series are our own because prom-client hashes labels on every update.
  return { name: series.name, get } as unknown as Metric;
}

function totalOf(series: Series | undefined, labels: Labels): number {
  if (!(series instanceof NumberSeries)) return 0;
  return series
    .values()
    .filter((line) => Object.entries(labels).every(([name, value]) => line.labels[name] === value))
    .reduce((sum, line) => sum + line.value, 0);
}
