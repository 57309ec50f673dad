import type { MetricDefinition } from './metric-table.js';

/** One line of the exposition, in the form that prom-client's registry prints. */
export interface SeriesValue {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly metricName?: string;
}

export type Labels = Readonly<Record<string, string>>;

const MAX_SERIES = 500;
const OTHER = 'other';
const MAX_LABEL_CHARS = 80;

/**
 * The series of one metric, keyed by label values. An update of a known series costs one string and one map look-up.
 * Past 500 series new ones are counted as `other`, so that a label with free text cannot fill the memory.
 */
export class SeriesMap<Cell> {
  readonly names: readonly string[];
  private readonly cells = new Map<string, { readonly labels: Labels; readonly cell: Cell }>();

  constructor(
    definition: MetricDefinition,
    private readonly make: () => Cell,
  ) {
    this.names = Object.keys(definition.labels);
    for (const labels of knownLabels(definition)) this.cell(labels);
  }

  cell(labels: Labels | undefined): Cell {
    let key = '';
    if (labels) for (const name of this.names) key += `${labels[name] ?? ''}\u0000`;
    const known = this.cells.get(key);
    return known ? known.cell : this.add(key, labels ?? {});
  }

  /** A label name that the metric does not have, if there is one. */
  strange(labels: Labels | undefined): string | undefined {
    if (!labels) return undefined;
    for (const name in labels) if (!this.names.includes(name)) return name;
    return undefined;
  }

  private add(key: string, given: Labels): Cell {
    const full = this.cells.size >= MAX_SERIES;
    const labels: Record<string, string> = {};
    for (const name of this.names) {
      const value = full ? OTHER : given[name];
      if (value !== undefined) labels[name] = value.slice(0, MAX_LABEL_CHARS);
    }
    const at = full ? `${OTHER}\u0000`.repeat(this.names.length) : key;
    const known = this.cells.get(at);
    if (known) return known.cell;
    const cell = this.make();
    this.cells.set(at, { labels, cell });
    return cell;
  }

  *entries(): Iterable<readonly [Labels, Cell]> {
    for (const { labels, cell } of this.cells.values()) yield [labels, cell];
  }
}

/** Series that exist from the start at zero: those of metrics without labels, or with one label that has a closed list. */
function knownLabels(definition: MetricDefinition): Labels[] {
  const labels = Object.entries(definition.labels);
  if (labels.length === 0) return [{}];
  const [first] = labels;
  if (definition.type !== 'counter' || labels.length > 1 || !first || typeof first[1] === 'string') return [];
  return first[1].map((value) => ({ [first[0]]: value }));
}

/** A counter or a gauge. */
export class NumberSeries {
  private readonly series: SeriesMap<{ value: number }>;

  constructor(
    readonly name: string,
    readonly definition: MetricDefinition,
  ) {
    this.series = new SeriesMap(definition, () => ({ value: 0 }));
  }

  add(labels: Labels | undefined, by: number): void {
    this.series.cell(labels).value += by;
  }

  set(labels: Labels | undefined, value: number): void {
    this.series.cell(labels).value = value;
  }

  strange(labels: Labels | undefined): string | undefined {
    return this.series.strange(labels);
  }

  values(): SeriesValue[] {
    return [...this.series.entries()].map(([labels, cell]) => ({ value: cell.value, labels }));
  }
}

interface Buckets {
  readonly counts: Float64Array;
  sum: number;
}

/** A histogram over seconds. */
export class HistogramSeries {
  private readonly series: SeriesMap<Buckets>;
  private readonly bounds: readonly number[];

  constructor(
    readonly name: string,
    readonly definition: MetricDefinition,
  ) {
    this.bounds = definition.buckets ?? [];
    const size = this.bounds.length + 1;
    this.series = new SeriesMap(definition, () => ({ counts: new Float64Array(size), sum: 0 }));
  }

  observe(labels: Labels | undefined, value: number): void {
    const cell = this.series.cell(labels);
    let at = 0;
    while (at < this.bounds.length && value > (this.bounds[at] ?? Infinity)) at += 1;
    cell.counts[at] = (cell.counts[at] ?? 0) + 1;
    cell.sum += value;
  }

  strange(labels: Labels | undefined): string | undefined {
    return this.series.strange(labels);
  }

  values(): SeriesValue[] {
    return [...this.series.entries()].flatMap(([labels, cell]) => this.linesOf(labels, cell));
  }

  private linesOf(labels: Labels, cell: Buckets): SeriesValue[] {
    let running = 0;
    const lines: SeriesValue[] = this.bounds.map((le, i) => {
      running += cell.counts[i] ?? 0;
      return { value: running, labels: { le, ...labels }, metricName: `${this.name}_bucket` };
    });
    const total = running + (cell.counts[this.bounds.length] ?? 0);
    lines.push({ value: total, labels: { le: '+Inf', ...labels }, metricName: `${this.name}_bucket` });
    lines.push({ value: cell.sum, labels, metricName: `${this.name}_sum` });
    lines.push({ value: total, labels, metricName: `${this.name}_count` });
    return lines;
  }
}
