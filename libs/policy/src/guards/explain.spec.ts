import { describe, expect, it } from 'vitest';
import { describeExplanation, explainGuard } from './index.js';

describe('explainGuard', () => {
  const explanation = explainGuard('Ferries from Kiel to Oslo', 'Ferries from Oslo to Kiel', 0.98);

  it('shows both readings, the checks in order and the aligned words', () => {
    expect(explanation.verdict).toEqual({ serve: false, reason: 'preposition' });
    expect(explanation.a.words).toEqual(['ferries', 'from kiel', 'to oslo']);
    expect(explanation.aligned).toEqual([
      { a: 'ferries', b: 'ferries', how: 'same' },
      { a: 'kiel', b: 'kiel', how: 'same' },
      { a: 'oslo', b: 'oslo', how: 'same' },
    ]);
    const refusing = explanation.checks.filter(({ passed, reason }) => !passed && reason !== 'equal');
    expect(refusing.map(({ reason }) => reason)).toEqual(['preposition', 'order']);
  });

  it('says what is switched off', () => {
    const off = explainGuard('Is the moat full?', 'Was the moat full?', 0.98, { disabled: new Set(['tense']) });
    expect(off.verdict.serve).toBe(true);
    expect(off.checks.filter(({ disabled }) => disabled).map(({ reason }) => reason)).toEqual(['tense', 'tense']);
  });

  it('shows what it can of a text that is not analysed', () => {
    const foreign = explainGuard('Как поставить палатку?', 'Как сложить палатку?', 0.9);
    expect(foreign.verdict.reason).toBe('language');
    expect(foreign.aligned).toEqual([]);
    expect(describeExplanation(foreign)).toContain('a: und not analysed');
  });

  it('is readable in a terminal', () => {
    const lines = describeExplanation(explanation);
    expect(lines[0]).toBe('refuse: preposition (cosine 0.980)');
    expect(lines).toContain('  no  preposition: every preposition governs the same word');
    expect(lines).toContain('  kiel = kiel (same)');
  });
});
