export { boundLog, createLog, type LogHandle, type LogOptions } from './log/create-log.js';
export { redact, scrub } from './log/redact.js';
export { createTelemetry, type TelemetryHandle, type TelemetryOptions } from './metrics/create-telemetry.js';
export {
  cacheOutcomes,
  degradedModes,
  isMetricName,
  metricTable,
  type MetricDefinition,
  type MetricName,
} from './metrics/metric-table.js';
export { metricsReferenceMarkdown } from './metrics/metrics-reference.js';
