import { createRng } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import { encodeDossier } from '../risk/dossier.codec.js';
import { FEATURE_NAMES, PAIR_NAMES, pairFeatures, pairRow, pairRowOf } from '../risk/features.js';
import { textMarks } from '../risk/text-marks.js';
import { ConversationFollower, type Dossier, type TextFacts } from '../risk/turn-state.js';
import { cosineAt, type Neighbour, netOfNeighbours } from './neighbour-net.js';
import { type NearPair, PlanDraft, type PlanEntry } from './plan-draft.js';
import { arrivalTrigger, hasNewInformation, stageLength } from './plan-triggers.js';

const SIZE = 16;
const unit = (values: readonly number[]): Float32Array => {
  const norm = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / norm);
};
const cos = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
const facts = (text: string, vector: Float32Array): TextFacts => ({ vector, marks: textMarks(text) });

/** A first turn at a place. */
function dossierAt(vector: Float32Array, text = 'how do I send it back'): Dossier {
  const follower = new ConversationFollower(facts('', new Float32Array(SIZE)));
  return { state: follower.ask(facts(text, vector)), reply: facts('By post.', vector) };
}

interface World {
  readonly entries: PlanEntry[];
  readonly pairs: NearPair[];
}

/** Groups of entries around random centres; who is in one group is near. */
function world(
  groups: number,
  inGroup: number,
  seed: number,
  change: (i: number) => Partial<PlanEntry> = () => ({}),
): World {
  const rng = createRng(seed);
  const vectors: Float32Array[] = [];
  for (let g = 0; g < groups; g++) {
    const centre = Array.from({ length: SIZE }, () => rng.next() - 0.5);
    for (let k = 0; k < inGroup; k++) vectors.push(unit(centre.map((value) => value + 0.1 * (rng.next() - 0.5))));
  }
  const entries = vectors.map((vector, i) => ({
    ...{ id: `e${i}`, seq: i + 1, uses: 0, isProtected: false, cost: 1, dossier: encodeDossier(dossierAt(vector)) },
    ...change(i),
  }));
  const pairs = vectors.flatMap((vector, i) =>
    vectors.map((other, j) => ({ id: `e${i}`, other: `e${j}`, similarity: cos(vector, other) })),
  );
  return { entries, pairs };
}

/** Labels by which similar pairs are right and others wrong. */
function taught(draft: PlanDraft, seed = 5): PlanDraft {
  const rng = createRng(seed);
  const column = PAIR_NAMES.indexOf('similarity');
  const centre = unit(Array.from({ length: SIZE }, () => rng.next() - 0.5));
  for (let n = 0; n < 400; n++) {
    const other = unit([...centre].map((value) => value + rng.next() * (rng.next() - 0.5)));
    const row = pairRow(dossierAt(centre).state, dossierAt(other));
    draft.addLabel(row, row[column]! > 0.9 ? 0 : 1);
  }
  return draft;
}

const options = { slots: 3, epsilon: 0.25, candidates: 32, caution: 0.05 };
function chosen({ entries, pairs }: World, change: Partial<typeof options> = {}) {
  const draft = taught(new PlanDraft());
  draft.addEntries(entries);
  draft.addPairs(pairs);
  return draft.choose({ ...options, ...change });
}

describe('ψ', () => {
  it('of a pair is the same numbers that its label has', () => {
    const rng = createRng(2);
    const [a, b] = [1, 2].map(() =>
      dossierAt(unit(Array.from({ length: SIZE }, () => rng.next())), 'send 2 of it to Rome'),
    );
    const features = pairFeatures(a!.state, [{ ...b!, replyClass: 0 }]);
    expect([...pairRowOf(features)]).toEqual([...pairRow(a!.state, b!)]);
    expect(PAIR_NAMES.every((name) => FEATURE_NAMES.includes(name))).toBe(true);
  });
});

describe('the net from lists of neighbours', () => {
  it('keeps representatives more than ε apart, every entry within ε of the nearest, as the net of points does', () => {
    const { pairs, entries } = world(12, 10, 3);
    const lists: Neighbour[][] = entries.map(() => []);
    for (const { id, other, similarity } of pairs) {
      if (id !== other) lists[Number(id.slice(1))]!.push({ other: Number(other.slice(1)), similarity });
    }
    const node = netOfNeighbours(lists, 0.25);
    const similarity = (i: number, j: number): number =>
      i === j ? 1 : lists[i]!.find(({ other }) => other === j)!.similarity;
    const nodes = entries.map((_, i) => i).filter((i) => node[i] === i);
    expect(nodes.length).toBeGreaterThan(11);
    expect(nodes.length).toBeLessThan(100);
    for (const i of nodes) for (const j of nodes) if (i !== j) expect(similarity(i, j)).toBeLessThan(cosineAt(0.25));
    entries.forEach((_, i) => {
      expect(similarity(i, node[i]!)).toBeGreaterThanOrEqual(cosineAt(0.25));
      for (const other of nodes) expect(similarity(i, other)).toBeLessThanOrEqual(similarity(i, node[i]!));
    });
  });
});

describe('a plan', () => {
  it('keeps what is asked for most, one entry a group, most requested first', () => {
    const groups = world(6, 5, 7, (i) => ({ uses: [0, 9, 4, 0, 7, 0][Math.floor(i / 5)]! }));
    const { planned, representatives, loss, lossWithout } = chosen(groups);
    expect(planned.map((id) => Math.floor(Number(id.slice(1)) / 5))).toEqual([1, 4, 2]);
    expect(representatives).toBeLessThan(30);
    expect(loss).toBeLessThan(lossWithout);
  });

  it('never has more than its slots, and counts what is protected as there', () => {
    const plain = world(6, 1, 7, (i) => ({ uses: 10 - i }));
    expect(chosen(plain).planned).toEqual(['e0', 'e1', 'e2']);
    const guarded = world(6, 1, 7, (i) => ({ uses: 10 - i, isProtected: i < 2 }));
    expect(chosen(guarded).planned).toEqual(['e2', 'e3', 'e4']);
  });

  it('leaves out what no reuse of is worth its risk', () => {
    const dear = chosen(world(6, 1, 7), { slots: 6 });
    expect(dear.planned).toHaveLength(6);
    const cheap = world(6, 1, 7, (i) => ({ cost: i === 0 ? 1 : 0 }));
    expect(chosen(cheap, { slots: 6 }).planned).toEqual(['e0']);
  });

  it('is the same whatever the order of the pages', () => {
    const { entries, pairs } = world(8, 6, 11, (i) => ({ uses: i % 7 }));
    const turned = { entries: [...entries].reverse(), pairs: [...pairs].reverse() };
    expect(chosen(turned)).toEqual(chosen({ entries, pairs }));
  });

  it('looks at what is used most, then at the newest', () => {
    const draft = new PlanDraft();
    draft.addEntries(world(5, 1, 1, (i) => ({ uses: i === 1 ? 3 : 0 })).entries);
    expect(draft.pick(3)).toEqual(['e1', 'e4', 'e3']);
  });

  it('leaves out entries whose dossier cannot be read', () => {
    const { entries, pairs } = world(3, 1, 2);
    const broken = entries.map((entry, i) => (i === 1 ? { ...entry, dossier: Uint8Array.of(9, 9) } : entry));
    expect(chosen({ entries: broken, pairs }).planned).toEqual(['e0', 'e2']);
  });
});

describe('triggers of a recompute', () => {
  const last = { admitted: 1_000, steps: 10_000, atMs: 0, information: 5 };
  const now = { admitted: 1_000, steps: 10_000, entries: 500 };

  it.each([
    [now, undefined, 'first'],
    [now, last, undefined],
    [{ ...now, admitted: 1_004 }, last, undefined],
    [{ ...now, admitted: 1_005 }, last, 'representatives'],
    [{ ...now, steps: 10_000 + Math.ceil(stageLength(10_000)) - 1 }, last, undefined],
    [{ ...now, steps: 10_000 + Math.ceil(stageLength(10_000)) }, last, 'arrivals'],
  ])('by what has arrived (%#)', (moment, noted, trigger) => {
    expect(arrivalTrigger(moment, noted)).toBe(trigger);
  });

  it('by information: ln 2, or what a purge has taken', () => {
    expect(hasNewInformation(5 + 0.69, last)).toBe(false);
    expect(hasNewInformation(5 + 0.7, last)).toBe(true);
    expect(hasNewInformation(4, last)).toBe(true);
  });

  it('stages grow with what came before', () => {
    expect(stageLength(0)).toBe(1);
    expect(stageLength(1_000)).toBeGreaterThan(stageLength(100));
  });
});
