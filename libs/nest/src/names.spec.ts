import { decisionNames, evictionNames, guardLanguages, guardNames } from '@reprise/config';
import {
  analysedLanguages,
  decisionModes,
  explainGuard,
  isGated,
  policyRegistry,
  switchablePolicyNames,
} from '@reprise/policy';
import { describe, expect, it } from 'vitest';

/** Checks that say only that a text cannot be analysed, or that nothing else matched: nobody may switch them off. */
const notSwitched = ['version', 'length', 'language', 'no-content', 'unaligned', 'cosine', 'equal'];

/** Walls that compare a stored answer, not the two questions: `explainGuard` knows nothing of them. */
const answerWalls = ['foreign-specifics', 'currency'];

describe('names in the configuration', () => {
  it('cache.eviction accepts exactly the policies that the store has', () => {
    expect([...evictionNames].sort()).toEqual([...switchablePolicyNames].sort());
    expect(evictionNames.filter((name) => isGated(name))).toEqual(['solar', 'solar-a']);
    expect(Object.keys(policyRegistry)).toEqual(expect.arrayContaining([...evictionNames]));
  });

  it('cache.decision accepts exactly the modes that the core decides by', () => {
    expect([...decisionNames]).toEqual([...decisionModes]);
  });

  it('guards.synonyms and guards.droppable are given for exactly the languages that have word lists', () => {
    expect([...guardLanguages]).toEqual([...analysedLanguages]);
  });

  it('guards.disabled accepts exactly the checks of the guard rule that can be switched off', () => {
    const { checks } = explainGuard('how do I reset my password', 'how can I reset my password', 0.95);
    const reasons = [...new Set(checks.map(({ reason }) => reason))].filter((reason) => !notSwitched.includes(reason));
    expect([...guardNames].sort()).toEqual([...reasons, ...answerWalls].sort());
  });
});
