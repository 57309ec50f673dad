import { env, LogLevel, pipeline, type FeatureExtractionPipeline } from '@xenova/transformers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createContext } from '../../tools/bootstrap/context.mjs';
import { findModel } from '../../tools/bootstrap/model.mjs';

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

let dir = '';

async function load(dtype: 'fp32' | 'q8'): Promise<(text: string) => Promise<Float32Array>> {
  const extract: FeatureExtractionPipeline = await pipeline('feature-extraction', 'Xenova/all-MiniLM-L6-v2', {
    dtype,
    device: 'cpu',
  });
  return async (text) => (await extract(text, { pooling: 'mean', normalize: true })).data as Float32Array;
}

beforeAll(async () => {
  const model = await findModel(createContext(), { dtypes: ['q8', 'fp32'] });
  dir = model.dir ?? '';
  Object.assign(env, { allowRemoteModels: false, localModelPath: `${dir}/`, logLevel: LogLevel.NONE });
});

/** Figures of an independent implementation (docs/concepts, "Embedding"): numpy from the same weights. */
describe('the converted model', () => {
  it('gives the known vector and similarities in fp32', async () => {
    const embed = await load('fp32');
    const vector = await embed('This is an example sentence');
    [0.0677, 0.0635, 0.0487, 0.0793, 0.0374].forEach((value, i) => expect(vector[i]).toBeCloseTo(value, 3));
    expect(dot(vector, vector)).toBeCloseTo(1, 5);
    expect(vector.length).toBe(384);
  });

  it('stays near fp32 in q8, and repeats itself bit for bit', async () => {
    const [exact, small] = [await load('fp32'), await load('q8')];
    for (const text of [
      'When does my parcel arrive?',
      'Cancel order 4711, please.',
      'Der Drucker druckt nicht mehr.',
    ]) {
      const [a, b] = [await exact(text), await small(text)];
      expect(dot(a, b)).toBeGreaterThan(0.96);
      expect(await small(text)).toEqual(b);
    }
  });
});
