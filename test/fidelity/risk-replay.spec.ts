import { guardNames } from '@reprise/config';
import { dataRoot, hasDataSet } from '@reprise/simulator';
import { openTestRedis, type TestRedis } from '@reprise/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conversationsOf, differences, playBoth, summary } from '../../bench/risk/fidelity.mjs';

/**
 * A wide budget, a low confidence, no guards and every label, so that the first model serves: this is about equality, not
 * safety. Without a coin that could say no, every run sees the same.
 */
const cache = {
  REPRISE_CACHE__ERROR_BUDGET: '0.4',
  REPRISE_CACHE__CONFIDENCE: '0.5',
  REPRISE_CACHE__LABEL_RATE__OUTSIDE: '1',
  REPRISE_CACHE__GUARDS__DISABLED: guardNames.join(','),
};

describe.skipIf(!hasDataSet(dataRoot(process.env), 'sgd-ticketing'))(
  'a stream over HTTP and in the simulator (needs shared/data/sgd-ticketing)',
  { timeout: 1_800_000 },
  () => {
    let redis: TestRedis;
    beforeAll(async () => {
      redis = await openTestRedis();
    });
    afterAll(() => redis.close());

    it('is decided alike, request by request: outcome, entry, risk to the last bit, snapshot, and every label', async () => {
      // The last exchanges of short conversations: where reuses are most often right.
      const conversations = conversationsOf(170, 0, 7);
      const both = await playBoth({ redisUrl: redis.url, conversations, newest: 3, cache });
      expect(differences(both)).toEqual([]);
      const { requests, withinBudget, snapshots, labels } = summary(both);
      expect(requests).toBeGreaterThan(500);
      expect(labels).toBeGreaterThan(300);
      // A model was learned, put in force, and has served.
      expect(snapshots).toBeGreaterThan(1);
      expect(withinBudget).toBeGreaterThan(5);
    });
  },
);
