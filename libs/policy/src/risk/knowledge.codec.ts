import { decodeFloats, encodeFloats } from './float64.codec.js';
import { deserialiseRiskModel } from './model.codec.js';
import type { Axes } from './pca.js';
import type { RiskModel } from './risk-model.js';

/** What gateways score by. */
export interface RiskKnowledge {
  readonly featureVersion: number;
  readonly axes: Axes;
  readonly model: RiskModel;
}

const FORMAT = 'risk/1';
const AXES_FORMAT = 'axes/1';

/** Axes and model as one text, from which `deserialiseKnowledge` rebuilds them with identical scores. */
export function serialiseKnowledge({ featureVersion, axes, model }: RiskKnowledge): string {
  return JSON.stringify({
    format: FORMAT,
    featureVersion,
    dimensions: axes.mean.length,
    axes: axes.count,
    mean: encodeFloats(axes.mean),
    directions: encodeFloats(axes.directions),
    model: model.serialise(),
  });
}

/** The axes alone, as one text. */
export function serialiseAxes({ mean, directions, count }: Axes): string {
  return JSON.stringify({
    format: AXES_FORMAT,
    dimensions: mean.length,
    axes: count,
    mean: encodeFloats(mean),
    directions: encodeFloats(directions),
  });
}

/** Undefined when the text is of an unknown format; throws SyntaxError or RangeError when it is damaged. */
export function deserialiseAxes(text: string): Axes | undefined {
  const record = JSON.parse(text) as AxesRecord;
  return record.format === AXES_FORMAT ? axesOf(record) : undefined;
}

interface AxesRecord {
  readonly format?: unknown;
  readonly dimensions: number;
  readonly axes: number;
  readonly mean: string;
  readonly directions: string;
}

const axesOf = ({ dimensions, axes: count, mean, directions }: AxesRecord): Axes => ({
  mean: decodeFloats(mean, dimensions),
  directions: decodeFloats(directions, dimensions * count),
  count,
});

interface KnowledgeRecord extends AxesRecord {
  readonly featureVersion: number;
  readonly model: string;
}

/** Undefined when the text is of an unknown format (a later version); throws SyntaxError or RangeError when it is damaged. */
export function deserialiseKnowledge(text: string): RiskKnowledge | undefined {
  const record = JSON.parse(text) as KnowledgeRecord;
  if (record.format !== FORMAT) return undefined;
  const model = deserialiseRiskModel(record.model);
  if (model === undefined) return undefined;
  const { dimensions, axes: count, featureVersion } = record;
  const mean = decodeFloats(record.mean, dimensions);
  return {
    featureVersion,
    axes: { mean, directions: decodeFloats(record.directions, dimensions * count), count },
    model,
  };
}
