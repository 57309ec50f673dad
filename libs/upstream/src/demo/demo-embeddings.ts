import { isObject, type JsonObject } from '../capture/captured-answer.js';
import { DemoBadRequest } from './demo-request.js';
import { countDemoTokens } from './demo-tokens.js';
import { hash32 } from './help-desk/seeded-random.js';

const DEFAULT_DIMENSIONS = 256;
const MOST_DIMENSIONS = 3_072;

function featuresOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const pairs = words.slice(1).map((word, at) => `${words[at]} ${word}`);
  return [`whole:${text}`, ...words, ...pairs];
}

/** A unit vector from hashed words and word pairs: equal texts have equal vectors, similar texts similar ones. */
export function demoEmbedding(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const feature of featuresOf(text)) {
    const hash = hash32(feature);
    const place = hash % dimensions;
    vector[place] = (vector[place] ?? 0) + (hash >>> 31 === 0 ? 1 : -1);
  }
  const norm = Math.hypot(...vector) || 1;
  return vector.map((value) => value / norm);
}

function inputsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value) || value.length === 0) throw new DemoBadRequest("'input' must not be empty.", 'input');
  const list = value as unknown[];
  if (list.every((item) => typeof item === 'string')) return list;
  if (list.every((item) => typeof item === 'number')) return [list.join(' ')];
  if (list.every((item) => Array.isArray(item))) return list.map((item) => (item as unknown[]).join(' '));
  throw new DemoBadRequest("'input' must be a text, a list of texts or lists of tokens.", 'input');
}

function dimensionsOf(value: unknown): number {
  if (value === undefined || value === null) return DEFAULT_DIMENSIONS;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > MOST_DIMENSIONS) {
    throw new DemoBadRequest(`'dimensions' must be an integer from 1 to ${MOST_DIMENSIONS}.`, 'dimensions');
  }
  return value;
}

function encoded(vector: readonly number[], base64: boolean): number[] | string {
  if (!base64) return [...vector];
  return Buffer.from(Float32Array.from(vector).buffer).toString('base64');
}

/** Body of the reply to `/v1/embeddings`, in numbers or base64 as asked. */
export function demoEmbeddings(body: unknown): JsonObject {
  if (!isObject(body)) throw new DemoBadRequest('The body must be a JSON object.', null);
  if (typeof body['model'] !== 'string') throw new DemoBadRequest("'model' must be a string.", 'model');
  const inputs = inputsOf(body['input']);
  const dimensions = dimensionsOf(body['dimensions']);
  const base64 = body['encoding_format'] === 'base64';
  const tokens = inputs.reduce((sum, text) => sum + countDemoTokens(text), 0);
  return {
    object: 'list',
    model: body['model'],
    data: inputs.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: encoded(demoEmbedding(text, dimensions), base64),
    })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}
