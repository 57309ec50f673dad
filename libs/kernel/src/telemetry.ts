/** Counters and durations of the core; the names are those of the metric table in libs/observability. */
export interface Telemetry {
  /** Adds `by` (default 1) to a counter. */
  count(name: string, labels?: Readonly<Record<string, string>>, by?: number): void;
  /** Observes a duration in milliseconds. */
  observeMs(name: string, ms: number, labels?: Readonly<Record<string, string>>): void;
}

export const silentTelemetry: Telemetry = { count: () => undefined, observeMs: () => undefined };
