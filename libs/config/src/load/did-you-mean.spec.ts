import { describe, expect, it } from 'vitest';
import { editDistance, nearest } from './did-you-mean.js';
import { safeName } from './safe-name.js';

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['abc', '', 3],
    ['port', 'prot', 1],
    ['kitten', 'sitting', 3],
    ['flaw', 'lawn', 2],
    ['same', 'same', 0],
  ])('%s %s', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });
});

describe('nearest', () => {
  const known = ['mode', 'sharing', 'errorBudget', 'exactTtlMs', 'singleFlight'];
  it.each([
    ['errorBudgt', 'errorBudget'],
    ['error_budget', 'errorBudget'],
    ['ERRORBUDGET', 'errorBudget'],
    ['exactTtl', 'exactTtlMs'],
    ['single', 'singleFlight'],
    ['moed', 'mode'],
    ['xyz', undefined],
    ['', undefined],
    ['completelyDifferent', undefined],
  ])('%s is %s', (name, meant) => {
    expect(nearest(name, known)).toBe(meant);
  });

  it('a very long name costs little', () => {
    expect(nearest('x'.repeat(1_000_000), known)).toBeUndefined();
  });
});

describe('safeName', () => {
  it.each(['port', 'errorBudget', 'conversationIdleMs', 'x-header'])('%s is shown', (name) => {
    expect(safeName(name)).toBe(name);
  });

  it.each(['sk-abcdef', 'a'.repeat(41), 'with blank', 'AbC123dEf456GhI789jKl', 'ключ', 'token_value', ''])(
    '%j is not shown',
    (name) => {
      expect(safeName(name)).toBe('(a name that is not shown)');
    },
  );
});
