import { type KeptVectors, readTextVectors } from '../embeddings/kept-vectors.js';
import {
  type BoundedOptions,
  type BoundedOutcome,
  NetOrder,
  OfflinePlan,
  runOffline,
  runOnline,
  type StateForm,
} from '../multi-turn/bounded-caches.js';
import { loadMtData, type MtSetName } from '../multi-turn/mt-data.js';
import { best, type MtOutcome } from '../multi-turn/mt-outcome.js';
import { type MtRun, prepareMtRun } from '../multi-turn/mt-states.js';
import { NearestCaches, type NearestMethod, splitOf } from '../multi-turn/nearest-caches.js';
import { reuseBound } from '../multi-turn/reuse-bound.js';

/** `bound`: no method, but what none can be better than. */
export type MtMethod = NearestMethod | 'planned-mt' | 'planned-single' | 'bound';
export type MtPhase = 'offline' | 'online';

/** Entries of the multi-turn tables; no number: none. */
export const mtCapacities = [100, 200, 300, 500, 1000, Infinity] as const;
export const capacityName = (capacity: number): string => (capacity === Infinity ? 'none' : String(capacity));

/** What of a run a cell shows; `details` are those of CLCB-LS-MT at k = 1,000. */
export type MtMeasure = 'loss' | 'hit' | 'precision' | 'sca' | 'wrong' | 'own' | 'labels' | 'q1' | 'q2' | 'q3' | 'q4';
export type MtVariant =
  'plain' | 'no-session' | 'labels-.3' | 'labels-.1' | 'most-requested' | 'largest-cost' | 'same-key';

/** One number of a multi-turn table. */
export interface MtCell {
  readonly kind: 'mt';
  readonly set: MtSetName;
  readonly method: MtMethod;
  readonly phase: MtPhase;
  readonly variant: MtVariant;
  readonly capacity: string;
  readonly measure: MtMeasure;
}

/** All numbers of one method on one set are of one task, since what they share takes longest. */
export interface MtTask {
  readonly kind: 'mt';
  readonly set: MtSetName;
  readonly method: MtMethod;
  readonly phase: MtPhase;
  readonly root: string;
  readonly vectors: KeptVectors;
  /** Share of the conversations; 1 but in tests. */
  readonly share: number;
}

/** By variant, capacity and measure. */
export type MtValues = Readonly<Record<string, number>>;
export const mtKey = ({ variant, capacity, measure }: Pick<MtCell, 'variant' | 'capacity' | 'measure'>): string =>
  `${variant} ${capacity} ${measure}`;

/** One order of the conversations, as in the paper. */
export const mtSeed = 1;

const plain: Omit<BoundedOptions, 'capacity'> = {
  widths: 0.05,
  labelRate: 1,
  sessionBuffer: true,
  content: 'reverse-greedy',
};

/** Width multipliers, and slopes of the single-turn loss, of which the best is taken, as thresholds are of the other caches. */
const widths = [0.02, 0.05, 0.2];
const slopes = [1, 2, 4];
const settingsOf = (method: MtMethod): Partial<BoundedOptions>[] =>
  method === 'planned-single'
    ? slopes.map((slope) => ({ slope, sessionBuffer: false }))
    : widths.map((each) => ({ widths: each }));

const variants: readonly (readonly [MtVariant, Partial<BoundedOptions>])[] = [
  ['no-session', { sessionBuffer: false }],
  ['labels-.3', { labelRate: 0.3 }],
  ['labels-.1', { labelRate: 0.1 }],
  ['most-requested', { content: 'most-requested' }],
  ['largest-cost', { content: 'largest-cost' }],
];
/** Variants are of this capacity; settings are chosen at it. */
export const variantCapacity = 300;

export function runMtTask({ set, method, phase, root, vectors, share }: MtTask): MtValues {
  const data = loadMtData(root, set, mtSeed, share);
  const run = prepareMtRun(data, readTextVectors(vectors));
  const values: Record<string, number> = {};
  const note = (variant: MtVariant, capacity: number, outcome: MtOutcome & Partial<BoundedOutcome>): void => {
    const { loss, hit, precision, sca, wrong, own, quarters, labels = 0 } = outcome;
    const [q1 = 0, q2 = 0, q3 = 0, q4 = 0] = quarters;
    const all = { loss, hit, precision, sca, wrong, own, labels: 100 * labels, q1, q2, q3, q4 };
    for (const [measure, value] of Object.entries(all))
      values[mtKey({ variant, capacity: capacityName(capacity), measure: measure as MtMeasure })] = value;
  };
  if (method === 'bound') {
    const { any, sameKey } = reuseBound(run);
    const key = { capacity: capacityName(Infinity), measure: 'loss' } as const;
    return { [mtKey({ variant: 'plain', ...key })]: any, [mtKey({ variant: 'same-key', ...key })]: sameKey };
  }
  if (method === 'planned-mt' || method === 'planned-single') runPlanned(run, method, phase, note);
  else runNearest(run, method, phase, note);
  return values;
}

type Note = (variant: MtVariant, capacity: number, outcome: MtOutcome & Partial<BoundedOutcome>) => void;

function runNearest(run: MtRun, method: NearestMethod, phase: MtPhase, note: Note): void {
  const caches = new NearestCaches(run, method);
  const split = splitOf(run);
  for (const capacity of mtCapacities)
    note('plain', capacity, phase === 'online' ? caches.online(capacity) : caches.offline(capacity, split));
}

function runPlanned(run: MtRun, method: 'planned-mt' | 'planned-single', phase: MtPhase, note: Note): void {
  const form: StateForm = method === 'planned-single' ? 'single' : 'state';
  const order = new NetOrder(run, form);
  const settings = settingsOf(method).map((setting) => ({ ...plain, ...setting }));
  if (phase === 'offline') {
    const split = splitOf(run);
    const tuned = new OfflinePlan(order, split.source);
    const final = new OfflinePlan(order, [...split.source, ...split.validation]);
    for (const capacity of mtCapacities) {
      const all = settings.map((setting) => ({ ...setting, capacity }));
      note('plain', capacity, runOffline({ tuned, final }, split, all));
    }
    return;
  }
  const chosen = best(
    settings.map((setting) => ({ setting, ...runOnline(order, { ...setting, capacity: variantCapacity }) })),
  ).setting;
  for (const capacity of mtCapacities) note('plain', capacity, runOnline(order, { ...chosen, capacity }));
  if (method === 'planned-single') return;
  for (const [name, change] of variants)
    note(name, variantCapacity, runOnline(order, { ...chosen, ...change, capacity: variantCapacity }));
}
