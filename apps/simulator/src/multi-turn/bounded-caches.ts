import { createRng, seedOf } from '@reprise/kernel';
import {
  CellCounts,
  cheapestOption,
  chooseContent,
  type ContentRule,
  costBounds,
  distanceOf,
  EpsilonNet,
  InformationTrigger,
  type LossTable,
  PairRisk,
  reuseBounds,
  type ReuseOption,
} from '@reprise/policy';
import { best, type MtOutcome, outcomeOf, type Served } from './mt-outcome.js';
import { type MtRun, pairSize } from './mt-states.js';
import type { Split } from './nearest-caches.js';

/** What a cell of the net is: the stratum and the place of a state. `single`: the message alone, one stratum. */
export type StateForm = 'state' | 'single';

export interface BoundedOptions {
  readonly capacity: number;
  /** Width multiplier of costs and risks. */
  readonly widths: number;
  /** Share of reuses that a judge labels. */
  readonly labelRate: number;
  readonly sessionBuffer: boolean;
  readonly content: ContentRule;
  /** Single-turn: loss of a reuse = min(1, slope · distance). */
  readonly slope?: number;
}

export interface BoundedOutcome extends MtOutcome {
  readonly labels: number;
  readonly switches: number;
  readonly centres: number;
}

const epsilon: Readonly<Record<StateForm, number>> = { state: 0.6, single: 0.5 };
/** In-key neighbours of a representative that may serve it. */
const candidates = 24;
const landmarks = 64;
const costLandmarks = 32;
/** Exchanges from which scale and landmarks are taken, without labels; nothing is served before. */
const warmUp = 300;
/** A planned cache is chosen again when the net has grown by this share, or by the information trigger, but not within a few conversations. */
const growth = 0.05;
const leastConversations = 10;
const session = 8;

interface Neighbour {
  readonly cell: number;
  readonly distance: number;
}

/** Where pairs (by query · size + cached) and exchanges lie for a model. */
interface Places {
  readonly risk: Map<number, Float64Array>;
  readonly cost: Map<number, Float64Array>;
}

/** The net over one order, and what depends on it alone: it is the same for all capacities. */
export class NetOrder {
  /** Exchange of each representative. */
  readonly centres: number[] = [];
  /** Representative of each exchange in the net as it was when its conversation began; −1: uncovered. */
  readonly cells: Int32Array;
  /** Representatives of one stratum, nearest first; a later one is in the list of an earlier one, too. */
  readonly neighbours: Neighbour[][] = [];
  /** By conversation: representatives and turns of each when it had ended. */
  readonly ended: { readonly centres: number; readonly counts: () => Float64Array }[] = [];
  private readonly byKey = new Map<string, number[]>();
  private readonly started = new Map<number, Places>();

  constructor(
    readonly run: MtRun,
    readonly form: StateForm,
  ) {
    const { starts } = run.data;
    const net = new EpsilonNet(epsilon[form]);
    const counts = new CellCounts(net);
    this.cells = new Int32Array(run.size).fill(-1);
    for (let conversation = 0; conversation + 1 < starts.length; conversation++) {
      const [first, end] = [starts[conversation] as number, starts[conversation + 1] as number];
      for (let at = first; at < end; at++) this.cells[at] = net.cellOf(this.stateOf(at))?.representative ?? -1;
      for (let at = first; at < end; at++) if (counts.add(this.stateOf(at))) this.centre(at);
      const kept = Float64Array.from(counts.counts());
      this.ended.push({ centres: net.size, counts: () => kept });
    }
  }

  stateOf(at: number) {
    const { run, form } = this;
    return form === 'single'
      ? { key: '', point: run.states[at]?.message.vector ?? new Float32Array(0) }
      : { key: run.keys[at] ?? '', point: run.points[at] ?? new Float32Array(0) };
  }

  /** Places of the models whose landmarks are of the first `seen` exchanges: the same for every run over this order. */
  placesOf(seen: number): Places {
    const places = this.started.get(seen) ?? { risk: new Map(), cost: new Map() };
    this.started.set(seen, places);
    return places;
  }

  /** Those that existed when the net had `size` representatives, itself first. */
  near(cell: number, size: number): Neighbour[] {
    return (this.neighbours[cell] ?? []).filter((other) => other.cell < size).slice(0, candidates);
  }

  private centre(at: number): void {
    const { key, point } = this.stateOf(at);
    const cell = this.centres.push(at) - 1;
    const siblings = this.byKey.get(key) ?? [];
    const own: Neighbour[] = [{ cell, distance: 0 }];
    for (const other of siblings) {
      const distance = distanceOf(point, this.stateOf(this.centres[other] as number).point);
      own.push({ cell: other, distance });
      insert(this.neighbours[other] as Neighbour[], { cell, distance });
    }
    own.sort((a, b) => a.distance - b.distance);
    this.neighbours.push(own.slice(0, 2 * candidates));
    this.byKey.set(key, [...siblings, cell]);
  }
}

/** Into a list by distance that keeps four times what is looked at: earlier nets see fewer of it. */
function insert(list: Neighbour[], neighbour: Neighbour): void {
  if (list.length >= 4 * candidates && (list.at(-1)?.distance ?? 0) <= neighbour.distance) return;
  let at = list.length;
  while (at > 0 && (list[at - 1] as Neighbour).distance > neighbour.distance) at -= 1;
  list.splice(at, 0, neighbour);
  if (list.length > 4 * candidates) list.pop();
}

type Pair = readonly [query: number, cached: number];

/** What is believed of costs and of reuses. */
class Beliefs {
  private readonly risk: PairRisk;
  private readonly cost: PairRisk;

  constructor(
    private readonly order: NetOrder,
    pairs: readonly Pair[],
    costs: readonly number[],
    private readonly places: Places = { risk: new Map(), cost: new Map() },
  ) {
    const { run } = order;
    const flat = (rows: readonly Float64Array[]): Float64Array => {
      const size = rows[0]?.length ?? 0;
      const all = new Float64Array(rows.length * size);
      rows.forEach((row, i) => all.set(row, i * size));
      return all;
    };
    const options = { ridge: 1, seed: 1 };
    const rows = flat(pairs.map(([query, cached]) => run.pairRow(query, cached)));
    this.risk = new PairRisk(rows, { ...options, size: pairSize, landmarks, centre: 0.5 });
    const costRows = costs.map((at) => run.costRow(at));
    const output = costs.reduce((sum, at) => sum + this.outputOf(at), 0) / Math.max(1, costs.length);
    const size = costRows[0]?.length ?? 0;
    this.cost = new PairRisk(flat(costRows), { ...options, size, landmarks: costLandmarks, centre: output });
  }

  get logDeterminant(): number {
    return this.risk.logDeterminant + this.cost.logDeterminant;
  }

  learnCost(at: number): void {
    this.cost.learn(this.costPlace(at), this.outputOf(at));
  }

  learnRisk(query: number, cached: number): void {
    this.risk.learn(this.place(query, cached), this.order.run.right(cached, query) ? 0 : 1);
  }

  costsOf(all: readonly number[], widths: number) {
    const { inputCosts } = this.order.run;
    const beliefs = this.cost.believeAll(all.map((at) => this.costPlace(at)));
    return beliefs.map((belief, i) => costBounds(inputCosts[all[i] as number] as number, belief, widths));
  }

  risksOf(pairs: readonly Pair[], widths: number) {
    const { keys } = this.order.run;
    const beliefs = this.risk.believeAll(pairs.map(([query, cached]) => this.place(query, cached)));
    return beliefs.map((belief, i) => {
      const [query, cached] = pairs[i] as Pair;
      return reuseBounds(keys[query] === keys[cached], belief, widths);
    });
  }

  private outputOf(at: number): number {
    return (this.order.run.costs[at] as number) - (this.order.run.inputCosts[at] as number);
  }

  private place(query: number, cached: number): Float64Array {
    const key = query * this.order.run.size + cached;
    const known = this.places.risk.get(key);
    if (known !== undefined) return known;
    const place = this.risk.place(this.order.run.pairRow(query, cached));
    this.places.risk.set(key, place);
    return place;
  }

  private costPlace(at: number): Float64Array {
    const known = this.places.cost.get(at);
    if (known !== undefined) return known;
    const place = this.cost.place(this.order.run.costRow(at));
    this.places.cost.set(at, place);
    return place;
  }
}

/** A planned content: what each representative may be served with, at which loss, and what a fresh answer costs there. */
interface Plan {
  readonly fresh: Float64Array;
  readonly options: readonly (readonly ReuseOption[])[];
}

type Side = 'low' | 'high';

function planOf(
  order: NetOrder,
  beliefs: Beliefs,
  weights: Float64Array,
  side: Side,
  { capacity, widths, content, slope }: BoundedOptions,
): Plan {
  const size = weights.length;
  const centres = order.centres.slice(0, size);
  const fresh = Float64Array.from(beliefs.costsOf(centres, widths), (bounds) => bounds[side]);
  const offsets = [0];
  const columns: number[] = [];
  const losses: number[] = [];
  centres.forEach((centre, cell) => {
    const near = order.near(cell, size);
    columns.push(...near.map((other) => other.cell));
    if (slope !== undefined) losses.push(...near.map(({ distance }) => Math.min(1, slope * distance)));
    else {
      const pairs = near.map((other): Pair => [centre, centres[other.cell] as number]);
      losses.push(...beliefs.risksOf(pairs, widths).map((bounds) => bounds[side]));
    }
    offsets.push(columns.length);
  });
  const table: LossTable = {
    items: size,
    weights,
    costs: fresh,
    offsets: Int32Array.from(offsets),
    columns: Int32Array.from(columns),
    losses: Float64Array.from(losses),
  };
  const kept = new Set(capacity >= size ? columns : chooseContent(content, table, capacity));
  const options = Array.from({ length: size }, (_, cell) => {
    const range = Array.from(
      { length: (offsets[cell + 1] as number) - (offsets[cell] as number) },
      (__, i) => i + (offsets[cell] as number),
    );
    return range
      .filter((at) => kept.has(columns[at] as number))
      .map((at) => ({ id: order.centres[columns[at] as number] as number, loss: losses[at] as number }));
  });
  return { fresh, options };
}

/** CLCB-LS-MT over one order, from an empty start (algorithms.md §2.7); `single`: its single-turn predecessor. */
export function runOnline(order: NetOrder, options: BoundedOptions): BoundedOutcome {
  const { run, ended, cells } = order;
  const { starts } = run.data;
  const served: Served[] = [];
  const coin = createRng(seedOf(['labels', String(options.labelRate)]));
  const trigger = new InformationTrigger();
  let beliefs: Beliefs | undefined;
  let plan: Plan | undefined;
  let planned = { centres: 0, conversation: 0 };
  let [labels, switches] = [0, 0];
  for (let conversation = 0; conversation + 1 < starts.length; conversation++) {
    const buffer: number[] = [];
    const reused: [number, number][] = [];
    const answered: number[] = [];
    for (let query = starts[conversation] as number; query < (starts[conversation + 1] as number); query++) {
      const cell = cells[query] as number;
      const chosen = plan && beliefs && cell >= 0 ? choose(query, cell, plan, beliefs, buffer, options) : undefined;
      served.push({ query, ...(chosen === undefined ? {} : { cached: chosen }) });
      if (chosen === undefined) {
        buffer.unshift(query);
        answered.push(query);
      } else if (coin.next() < options.labelRate) reused.push([query, chosen]);
    }
    labels += reused.length;
    for (const at of answered) beliefs?.learnCost(at);
    for (const [query, cached] of reused) beliefs?.learnRisk(query, cached);
    const { centres, counts } = ended[conversation] as (typeof ended)[number];
    if (beliefs === undefined) {
      beliefs = served.length >= warmUp ? firstBeliefs(order, served.length, centres) : undefined;
      if (beliefs === undefined) continue;
    }
    if (plan !== undefined && conversation - planned.conversation < leastConversations) continue;
    if (centres < planned.centres * (1 + growth) && !trigger.due(beliefs.logDeterminant)) continue;
    plan = planOf(order, beliefs, shares(counts()), 'low', options);
    planned = { centres, conversation };
    switches += 1;
  }
  const outcome = outcomeOf(run, served);
  return { ...outcome, labels: labels / served.length, switches, centres: order.centres.length };
}

function choose(
  query: number,
  cell: number,
  plan: Plan,
  beliefs: Beliefs,
  buffer: readonly number[],
  options: BoundedOptions,
) {
  // A representative that came after the plan is answered fresh.
  const fresh = plan.fresh[cell];
  if (fresh === undefined) return undefined;
  const own = options.sessionBuffer ? buffer.slice(0, session) : [];
  const risks = beliefs.risksOf(
    own.map((id): Pair => [query, id]),
    options.widths,
  );
  const scored = own.map((id, i) => ({ id, loss: (risks[i] as { low: number }).low }));
  return cheapestOption(fresh, [...(plan.options[cell] ?? []), ...scored])?.id;
}

const shares = (counts: Float64Array): Float64Array => {
  const total = counts.reduce((sum, count) => sum + count, 0) || 1;
  return counts.map((count) => count / total);
};

/** Scale and landmarks from what was seen so far; the fresh answers of the warm-up teach the costs. */
function firstBeliefs(order: NetOrder, seen: number, centres: number): Beliefs | undefined {
  const pairs: [number, number][] = [];
  for (let cell = 0; cell < centres; cell++)
    for (const other of order.near(cell, centres))
      pairs.push([order.centres[cell] as number, order.centres[other.cell] as number]);
  if (pairs.length < 2) return undefined;
  const costs = Array.from({ length: seen }, (_, at) => at);
  const beliefs = new Beliefs(order, pairs, costs, order.placesOf(seen));
  for (const at of costs) beliefs.learnCost(at);
  return beliefs;
}

/** Labels of each request of the source. */
const offlineLabels = 3;

/** CUCB-SC-MT: net, weights, costs and labels from logs, one content by pessimistic values, then served (algorithms.md §2.5). */
export class OfflinePlan {
  private readonly net: EpsilonNet;
  private readonly beliefs: Beliefs;
  private readonly weights: Float64Array;

  constructor(
    private readonly order: NetOrder,
    source: readonly number[],
  ) {
    const { run, form } = order;
    const half = source[Math.floor(source.length / 2)] ?? 0;
    const conversation = run.data.exchanges[half]?.conversation ?? 0;
    const { centres } = order.ended[conversation] ?? { centres: 0 };
    this.net = new EpsilonNet(epsilon[form]);
    for (let cell = 0; cell < centres; cell++) this.net.add(order.stateOf(order.centres[cell] as number));
    const second = source.filter((at) => (run.data.exchanges[at]?.conversation ?? 0) > conversation);
    const counts = new Float64Array(this.net.size);
    const pairs: [number, number][] = [];
    for (const at of second) {
      const cell = this.net.cellOf(order.stateOf(at))?.representative;
      if (cell === undefined) continue;
      counts[cell] = (counts[cell] as number) + 1;
      for (const { cell: other } of order.near(cell, this.net.size).slice(0, offlineLabels))
        pairs.push([at, order.centres[other] as number]);
    }
    this.beliefs = new Beliefs(order, pairs, second);
    for (const at of second) this.beliefs.learnCost(at);
    for (const [query, cached] of pairs) this.beliefs.learnRisk(query, cached);
    this.weights = shares(counts);
  }

  get centres(): number {
    return this.net.size;
  }

  serve(queries: readonly number[], options: BoundedOptions): MtOutcome {
    const plan = planOf(this.order, this.beliefs, this.weights, 'high', options);
    const served = queries.map((query): Served => {
      const cell = this.net.cellOf(this.order.stateOf(query))?.representative;
      const option = cell === undefined ? undefined : cheapestOption(plan.fresh[cell] ?? 0, plan.options[cell] ?? []);
      return { query, ...(option === undefined ? {} : { cached: option.id }) };
    });
    return outcomeOf(this.order.run, served);
  }
}

/** Settings are chosen on the validation part, the plan is made again with it, and served on the test part. */
export function runOffline(
  plans: { readonly tuned: OfflinePlan; readonly final: OfflinePlan },
  { validation, test }: Split,
  settings: readonly BoundedOptions[],
): MtOutcome {
  const tuned = settings.map((setting) => ({ setting, ...plans.tuned.serve(validation, setting) }));
  return plans.final.serve(test, best(tuned).setting);
}
