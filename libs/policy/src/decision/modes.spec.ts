import { createRng } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import { contextCosine, encodeContext } from './context.codec.js';
import { type ComparedCandidate, comparisonRule, decideComparison, decisionModes, indexName } from './modes.js';

const near: ComparedCandidate = { similarity: 0.95, contextSimilarity: 1, wall: undefined };
const rule = { minCosine: 0.9, minContextCosine: 0.8 };

describe('comparison rules', () => {
  it('serve the first candidate that reaches both thresholds and that no guard refuses', () => {
    const refused: ComparedCandidate = { ...near, wall: 'number' };
    expect(decideComparison(rule, [refused, near])).toEqual({ serve: true, candidate: 1, reason: 'similar' });
  });

  it.each([
    [[], { serve: false, candidate: -1, reason: 'no-candidate' }],
    [[{ ...near, similarity: 0.89 }], { serve: false, candidate: 0, reason: 'below-threshold' }],
    [[{ ...near, contextSimilarity: 0.79 }], { serve: false, candidate: 0, reason: 'context-differs' }],
    [[{ ...near, wall: 'negation' }], { serve: false, candidate: 0, reason: 'negation' }],
    [
      [
        { ...near, wall: 'name' },
        { ...near, contextSimilarity: -1 },
      ],
      { serve: false, candidate: 0, reason: 'name' },
    ],
  ])('say why the nearest was refused (%#)', (candidates, decision) => {
    expect(decideComparison(rule, candidates)).toEqual(decision);
  });

  it('serve at exactly the threshold', () => {
    expect(decideComparison(rule, [{ ...near, similarity: 0.9, contextSimilarity: 0.8 }]).serve).toBe(true);
  });

  it('are those modes that have no rule of their own, each with an index of its own', () => {
    const compared = decisionModes.filter((mode) => comparisonRule(mode) !== undefined);
    expect(compared).toEqual(['single-turn', 'joint-state', 'elasticache-mt', 'context-cache', 'mean-cache']);
    expect(new Set(compared.map((mode) => indexName(comparisonRule(mode)!))).size).toBe(compared.length);
  });

  it('take what the operator sets, and keep messages apart that mean something else', () => {
    const three = comparisonRule('elasticache-mt', { messages: 3, minCosine: 0.7 })!;
    expect(three).toMatchObject({ messages: 3, minCosine: 0.7 });
    expect(indexName(three)).not.toBe(indexName(comparisonRule('elasticache-mt')!));
    expect(comparisonRule('single-turn', { messages: 3 })).toMatchObject({ messages: 1 });
  });
});

describe('second vectors', () => {
  const unit = (seed: number): Float32Array => {
    const rng = createRng(seed);
    const vector = Float32Array.from({ length: 64 }, () => rng.next() - 0.5);
    const norm = Math.hypot(...vector);
    return vector.map((value) => value / norm);
  };

  it('come back with their cosine, to 8 bits', () => {
    const [a, b] = [unit(1), unit(2)];
    const exact = a.reduce((sum, value, i) => sum + value * b[i]!, 0);
    expect(contextCosine(a, encodeContext(a))).toBeCloseTo(1, 3);
    expect(contextCosine(a, encodeContext(b))).toBeCloseTo(exact, 2);
  });

  it('match when neither is there, and never when only one is', () => {
    expect(contextCosine(undefined, encodeContext(undefined))).toBe(1);
    expect(contextCosine(unit(1), encodeContext(undefined))).toBe(-1);
    expect(contextCosine(undefined, encodeContext(unit(1)))).toBe(-1);
  });

  it.each([undefined, new Uint8Array(0), Uint8Array.of(1, 2, 3, 4, 5, 6), encodeContext(unit(3)).slice(0, 9)])(
    'never match what cannot be read (%#)',
    (bytes) => {
      expect(contextCosine(unit(1), bytes)).toBe(-1);
    },
  );
});
