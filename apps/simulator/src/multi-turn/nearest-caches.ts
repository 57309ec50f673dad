import { createRng, seedOf } from '@reprise/kernel';
import { createPolicy, decideComparison, mostOften, VcacheEntry } from '@reprise/policy';
import { best, type MtOutcome, outcomeOf, type Served } from './mt-outcome.js';
import { dot, type MtRun, Similarities, type VectorKind } from './mt-states.js';

/** Caches that serve the nearest stored answer: by thresholds, or as vCache verifies them. */
export const nearestMethods = ['elasticache-mt', 'context-cache', 'mean-cache', 'vcache', 'joint-state'] as const;
export type NearestMethod = (typeof nearestMethods)[number];

interface Form {
  readonly index: VectorKind;
  readonly context?: VectorKind;
  readonly contextThresholds: readonly number[];
}

const forms: Readonly<Record<NearestMethod, Form>> = {
  'elasticache-mt': { index: 'recent', contextThresholds: [-1] },
  'context-cache': { index: 'message', context: 'users', contextThresholds: [0.5, 0.7, 0.9] },
  'mean-cache': { index: 'message', context: 'parent', contextThresholds: [0.6, 0.8, 0.95] },
  vcache: { index: 'message', contextThresholds: [-1] },
  'joint-state': { index: 'joint', contextThresholds: [-1] },
};

/** Least cosines, or error rates, of which the best is taken. */
const thresholds = [0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98];
const errorRates = [0.01, 0.05, 0.1, 0.2, 0.3];
/** Nearest entries that are looked at. */
const depth = 5;

interface Setting {
  readonly minCosine: number;
  readonly minContextCosine: number;
  /** vCache's share of wrong answers. */
  readonly errorRate: number;
}

const settingsOf = (method: NearestMethod): Setting[] =>
  method === 'vcache'
    ? errorRates.map((errorRate) => ({ minCosine: 0.5, minContextCosine: -1, errorRate }))
    : thresholds.flatMap((minCosine) =>
        forms[method].contextThresholds.map((minContextCosine) => ({ minCosine, minContextCosine, errorRate: 0 })),
      );

interface Near {
  readonly id: number;
  readonly similarity: number;
}

/** One of these caches over one set. */
export class NearestCaches {
  private readonly form: Form;
  private readonly near: Similarities;
  /** The nearest request of another conversation, for each of a source, by its length: a source is a beginning of the order. */
  private readonly nearestOf = new Map<number, readonly number[]>();

  constructor(
    private readonly run: MtRun,
    private readonly method: NearestMethod,
  ) {
    this.form = forms[method];
    this.near = new Similarities(run.size, run.vectors[this.form.index]);
  }

  /** Empty start, every fresh answer is stored, LRU; the best setting of the grid in hindsight. */
  online(capacity: number): MtOutcome {
    return best(settingsOf(this.method).map((setting) => outcomeOf(this.run, this.stream(capacity, setting))));
  }

  /** What is nearest most often to requests of other conversations is kept; settings are chosen on `validation`. */
  offline(capacity: number, { source, validation, test }: Split): MtOutcome {
    const tuned = settingsOf(this.method).map((setting) => ({
      setting,
      ...outcomeOf(this.run, this.fixed(this.content(source, capacity), source, validation, setting)),
    }));
    const all = [...source, ...validation];
    return outcomeOf(this.run, this.fixed(this.content(all, capacity), all, test, best(tuned).setting));
  }

  private stream(capacity: number, setting: Setting): Served[] {
    const { size } = this.run;
    const stored = createPolicy(capacity === Infinity ? 'unlimited' : 'lru', {
      capacity,
      change: { rememberedRequests: 0 },
    });
    const live: number[] = [];
    const verified = new Verifier(this.run, setting);
    const served: Served[] = [];
    for (let query = 0; query < size; query++) {
      const decision = this.decide(query, live, setting, verified);
      served.push({ query, ...(decision.cached === undefined ? {} : { cached: decision.cached }) });
      const hit = decision.cached !== undefined;
      stored.feedback({ requestId: '', used: hit ? [String(decision.cached)] : [], delta: hit ? 0 : 1 });
      if (hit || !decision.keep) continue;
      const { evicted } = stored.admit({ requestId: '', id: String(query), seed: query });
      for (const id of evicted) live.splice(live.indexOf(Number(id)), 1);
      live.push(query);
    }
    return served;
  }

  private fixed(
    content: readonly number[],
    source: readonly number[],
    queries: readonly number[],
    setting: Setting,
  ): Served[] {
    const verified = new Verifier(this.run, setting);
    if (this.method === 'vcache')
      for (const query of source) verified.learn(query, this.nearest(query, content, setting, true)[0]);
    return queries.map((query) => {
      const { cached } = this.decide(query, content, setting, verified);
      return { query, ...(cached === undefined ? {} : { cached }) };
    });
  }

  private decide(query: number, live: readonly number[], setting: Setting, verified: Verifier) {
    const near = this.nearest(query, live, setting, false);
    if (this.method === 'vcache') return verified.decide(query, near[0]);
    const { context } = this.form;
    const candidates = near.map(({ id, similarity }) => ({
      similarity,
      contextSimilarity:
        context === undefined ? 1 : dot(this.run.vectors[context](query), this.run.vectors[context](id)),
      wall: undefined,
    }));
    const { serve, candidate } = decideComparison(setting, candidates);
    return { cached: serve ? near[candidate]?.id : undefined, keep: true };
  }

  /** The nearest stored requests at or above the least cosine, nearest first. */
  private nearest(query: number, live: readonly number[], { minCosine }: Setting, foreign: boolean): Near[] {
    const found: Near[] = [];
    const own = this.run.data.exchanges[query]?.conversation;
    let least = minCosine;
    for (const id of live) {
      const similarity = this.near.of(query, id);
      if (similarity < least || id === query) continue;
      if (foreign && this.run.data.exchanges[id]?.conversation === own) continue;
      let at = found.length;
      while (at > 0 && (found[at - 1] as Near).similarity < similarity) at -= 1;
      found.splice(at, 0, { id, similarity });
      if (found.length > depth) found.pop();
      if (found.length === depth) least = (found[depth - 1] as Near).similarity;
    }
    return found;
  }

  private content(source: readonly number[], capacity: number): readonly number[] {
    if (source.length <= capacity) return source;
    const nearest = this.nearestOf.get(source.length) ?? [...this.nearestAmong(source)];
    this.nearestOf.set(source.length, nearest);
    return mostOften(nearest, capacity);
  }

  private *nearestAmong(source: readonly number[]): Generator<number> {
    const all = { minCosine: -1, minContextCosine: -1, errorRate: 0 };
    for (const query of source) {
      const [nearest] = this.nearest(query, source, all, true);
      if (nearest !== undefined) yield nearest.id;
    }
  }
}

/** Exchanges of a random split by conversation. */
export interface Split {
  readonly source: readonly number[];
  readonly validation: readonly number[];
  readonly test: readonly number[];
}

/** 82 / 9 / 9 % of the conversations, as 1,800 / 200 / 200 of the paper; the order is random already. */
export function splitOf({ data: { starts }, size }: MtRun): Split {
  const conversations = starts.length - 1;
  const [a, b] = [0.82, 0.91].map((share) => starts[Math.floor(share * conversations)] ?? size) as [number, number];
  const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
  return { source: range(0, a), validation: range(a, b), test: range(b, size) };
}

/** vCache: what is known of each entry, and the draw. A wrong comparison stores the fresh answer; a right one does not. */
class Verifier {
  private readonly entries = new Map<number, VcacheEntry>();
  private readonly rng = createRng(seedOf(['vcache']));

  constructor(
    private readonly run: MtRun,
    private readonly setting: Setting,
  ) {}

  decide(query: number, near: Near | undefined): { readonly cached: number | undefined; readonly keep: boolean } {
    if (near === undefined) return { cached: undefined, keep: true };
    const probability = this.entry(near.id).exploitProbability(near.similarity, this.setting.errorRate);
    if (this.rng.next() < probability) return { cached: near.id, keep: false };
    return { cached: undefined, keep: !this.learn(query, near) };
  }

  learn(query: number, near: Near | undefined): boolean {
    if (near === undefined) return false;
    const right = this.run.right(near.id, query);
    this.entry(near.id).observe(near.similarity, right ? 1 : 0);
    return right;
  }

  private entry(id: number): VcacheEntry {
    const known = this.entries.get(id) ?? new VcacheEntry();
    this.entries.set(id, known);
    return known;
  }
}
