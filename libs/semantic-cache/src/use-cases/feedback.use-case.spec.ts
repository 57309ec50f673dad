import { FEATURE_NAMES, FEATURES } from '@reprise/policy';
import { describe, expect, it } from 'vitest';
import type { CacheDependencies } from '../dependencies.js';
import type { LabelRecord } from '../ports/risk-store.port.js';
import { feedback } from './feedback.use-case.js';

const features = Object.fromEntries(FEATURE_NAMES.map((name, at) => [name, at / 100]));
const record = (budget: object = {}) =>
  JSON.stringify({
    conversation: 'c1',
    user: 'u1',
    budget: { rule: 'budget', snapshot: 7, score: 0.04, features, ...budget },
  });

/** The parts that feedback touches, and what reached them. */
function parts(decision: { record?: string; served?: string } | undefined, isFirst = true, works = true) {
  const labels: [LabelRecord, boolean][] = [];
  const counted: string[] = [];
  const quarantined: string[] = [];
  const deps = {
    decisions: { read: () => Promise.resolve(decision) },
    admin: {
      quarantine: (_ns: string, id: string) => {
        quarantined.push(id);
        return Promise.resolve(true);
      },
    },
    risk: {
      observe: (_ns: string, label: LabelRecord, keep: boolean) => {
        if (!works) return Promise.reject(new Error('away'));
        labels.push([label, keep]);
        return Promise.resolve(isFirst);
      },
    },
    clock: { nowMs: () => 5 },
    telemetry: { count: (name: string, values: object) => counted.push(`${name} ${JSON.stringify(values)}`) },
  } as unknown as CacheDependencies;
  return { deps, labels, counted, quarantined };
}

describe('feedback', () => {
  it('"wrong" of a served request is a label of a person, learned from, and takes the entry out of service', async () => {
    const { deps, labels, counted, quarantined } = parts({ record: record(), served: 'e1' });
    const reply = await feedback(deps, 'ns', { requestId: 'r1', verdict: 'wrong', note: '' });
    expect(reply).toEqual({ ok: true, value: { entryId: 'e1', quarantined: true } });
    expect(quarantined).toEqual(['e1']);
    const [[label, keep] = expect.fail('no label')] = labels;
    expect(keep).toBe(true);
    expect(label).toMatchObject({
      ...{ requestId: 'r1', conversation: 'c1', user: 'u1', entryId: 'e1', rule: 'budget', served: true },
      ...{ rejected: 1, judge: 'human', rate: 1, score: 0.04, snapshot: 7 },
    });
    expect([label.row.length, label.row[3]]).toEqual([FEATURES, 0.03]);
    expect(counted).toContain('reprise_judgements_total {"judge":"human","outcome":"rejected"}');
  });

  it('"right" is counted and not learned from: nobody loosens what is served', async () => {
    const { deps, labels, quarantined } = parts({ record: record(), served: 'e1' });
    await feedback(deps, 'ns', { requestId: 'r1', verdict: 'right', note: '' });
    expect(labels.map(([{ rejected }, keep]) => [rejected, keep])).toEqual([[0, false]]);
    expect(quarantined).toEqual([]);
  });

  it.each([
    ['nothing is known of the request', undefined, 'r1'],
    ['the entry alone is named', { record: record(), served: 'e1' }, undefined],
    ['an equal request was served', { served: 'e1' }, 'r1'],
    ['the cold-start rule served', { record: record({ rule: 'cold-start' }), served: 'e1' }, 'r1'],
    ['the features are of another list', { record: record({ features: { other: 1 } }), served: 'e1' }, 'r1'],
    ['another entry was served', { record: record(), served: 'e2' }, 'r1'],
  ])('is no label when %s, and acts all the same', async (_, decision, requestId) => {
    const { deps, labels, quarantined } = parts(decision);
    const named = requestId === undefined ? {} : { requestId };
    await feedback(deps, 'ns', { ...named, entryId: 'e1', verdict: 'wrong', note: 'x' });
    expect([labels, quarantined]).toEqual([[], ['e1']]);
  });

  it('a store that keeps no label, or has one already, changes nothing else', async () => {
    for (const { deps, quarantined, counted } of [
      parts({ record: record(), served: 'e1' }, false),
      parts({ record: record(), served: 'e1' }, true, false),
    ]) {
      const reply = await feedback(deps, 'ns', { requestId: 'r1', verdict: 'wrong', note: '' });
      expect([reply.ok, quarantined]).toEqual([true, ['e1']]);
      expect(counted.join()).not.toContain('judgements');
    }
  });
});
