import { dataRoot, hasDataSet } from '@reprise/simulator';
import { describe, expect, it } from 'vitest';
import { checkJudge } from '../../bench/risk/judge-check.mjs';
import { numpyRng } from '../../bench/risk/numpy-random.mjs';

describe.skipIf(!hasDataSet(dataRoot(process.env), 'sgd-ticketing'))(
  'the reference judge (needs shared/data/sgd-ticketing)',
  () => {
    it('gives every labelled reuse pair its label', () => {
      const { pairs, equal, general } = checkJudge();
      expect(pairs).toBe(5237);
      expect(equal).toBe(5237);
      // The general label accepts all that the README label does, and more.
      expect(general).toBe(2535);
    });
  },
);

describe('the random numbers of the reference', () => {
  it("are numpy's: permutation and uniform numbers of default_rng", () => {
    expect(numpyRng(20260701).permutation(5000).slice(0, 6)).toEqual([1971, 3455, 4257, 1881, 2157, 2476]);
    expect(numpyRng(1000).permutation(2200).slice(0, 4)).toEqual([179, 291, 381, 744]);
    const rng = numpyRng(13);
    [0.86479759, 0.85530251, 0.8110234].forEach((value) => expect(rng.random()).toBeCloseTo(value, 7));
  });
});
