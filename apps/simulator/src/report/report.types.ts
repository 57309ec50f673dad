/** How a column's numbers are shown; CSV and JSON always have them in full. */
export type Format = 'text' | 'count' | 'share' | 'decimal1' | 'signed1' | 'decimal3' | 'signed3' | 'usd';

export type Value = string | number | undefined;

export interface Column {
  readonly name: string;
  readonly format: Format;
}

export interface Table {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
  readonly notes: readonly string[];
}

export interface Series {
  readonly name: string;
  readonly values: readonly (number | undefined)[];
  /** A bound, not a policy: drawn dashed. */
  readonly bound?: boolean;
}

export interface Chart {
  readonly title: string;
  readonly kind: 'line' | 'bar';
  readonly xLabel: string;
  readonly yLabel: string;
  readonly x: readonly (string | number)[];
  readonly series: readonly Series[];
  /** Title of the table that it belongs to, where it is shown; absent: before all tables. */
  readonly table?: string;
}

/** What made a report: enough to make it again. */
export interface Provenance {
  readonly madeAt: string;
  /** Commit of the clone, with `+changes` when files differ from it; `unknown` outside a clone. */
  readonly commit: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, unknown>>;
  readonly seeds: readonly (number | string)[];
  /** sha256 of the trace, or the name of the generator with its parameters. */
  readonly trace: string;
  readonly wallSeconds: number;
}

export interface Report {
  readonly title: string;
  /** What the reader came for, in sentences. */
  readonly summary: readonly string[];
  readonly tables: readonly Table[];
  readonly charts: readonly Chart[];
  readonly provenance: Provenance;
}
