import { createRng } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import { deserialiseAxes, deserialiseKnowledge, serialiseAxes, serialiseKnowledge } from './knowledge.codec.js';
import { fitLogistic } from './lr12.js';
import { fitAxes, project } from './pca.js';

const rng = createRng(3);
const vectors = Array.from({ length: 40 }, () => Float64Array.from({ length: 12 }, () => rng.next() - 0.5));
const axes = fitAxes(vectors);
const rows = Float64Array.from({ length: 60 }, () => rng.next());
const model = fitLogistic({ rows, count: 30, rejected: Float64Array.from({ length: 30 }, (_, i) => i % 2) });

describe('what gateways score by, as text', () => {
  it('comes back with identical places and scores', () => {
    const back = deserialiseKnowledge(serialiseKnowledge({ featureVersion: 3, axes, model }));
    expect(back?.featureVersion).toBe(3);
    expect(project(vectors[0]!, back!.axes)).toEqual(project(vectors[0]!, axes));
    expect(back?.model.score(rows, 30)).toEqual(model.score(rows, 30));
  });

  it('brings the axes alone', () => {
    expect(deserialiseAxes(serialiseAxes(axes))).toEqual(axes);
  });

  it('says nothing of a later format, and refuses a damaged text', () => {
    expect(deserialiseKnowledge('{"format":"risk/2"}')).toBeUndefined();
    expect(deserialiseAxes('{"format":"axes/2"}')).toBeUndefined();
    const text = serialiseKnowledge({ featureVersion: 1, axes, model });
    expect(() => deserialiseKnowledge(text.slice(0, -9))).toThrow(SyntaxError);
    expect(() => deserialiseKnowledge(text.replace('"dimensions":12', '"dimensions":13'))).toThrow(RangeError);
  });
});
