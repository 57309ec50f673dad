import { createRng, seedOf } from '@reprise/kernel';
import { PolicyStore, plainPolicy, type PolicyConfig, referencePolicy, type StorePolicyName } from '@reprise/policy';
import type { TextVectors } from '../embeddings/kept-vectors.js';
import { dot } from '../multi-turn/mt-states.js';
import type { QaSession, Question } from './qa-data.js';

/**
 * How experiences are found. `reference`: as in the authors' code, six rows of an index from which FIFO, LRU, LFU and ARC never remove what
 * they evicted, and the SOLAR family only at every 20th eviction, then the live ones among them. `exact`: the nearest three live ones.
 */
export type Retrieval = 'reference' | 'exact';

export interface ExperienceOptions {
  readonly policy: StorePolicyName;
  readonly capacity: number;
  readonly retrieval: Retrieval;
  readonly seed: number;
  /** How good the answer to a question would be, 0..1, given what was found. */
  readonly quality: (
    question: Question,
    found: readonly string[],
    corpus: readonly string[],
  ) => number | Promise<number>;
}

/** What the test questions of a session came to, in their order. */
export interface ExperienceResult {
  readonly qualities: readonly number[];
  /** Experiences found, of three. */
  readonly returned: readonly number[];
  /** Whether an experience shares an evidence turn with its question. */
  readonly helped: readonly boolean[];
}

const depth = 3;
const corpusDepth = 5;
const compactEvery = 20;

const solarFamily: readonly string[] = ['solar', 'solar-a', 'solar-e'];

/** One session through one policy: retrieve, answer, feed back, offer the experience; memory carries over from the warm-up. */
export async function runExperience(
  session: QaSession,
  vectors: TextVectors,
  options: ExperienceOptions,
): Promise<ExperienceResult> {
  const index = new ExperienceIndex(
    vectors,
    options.retrieval === 'reference' && !solarFamily.includes(options.policy) ? Infinity : compactEvery,
  );
  const store = new PolicyStore(policyOf(options, index));
  const seeds = createRng(seedOf(['experience', String(options.seed)]));
  const result = { qualities: [] as number[], returned: [] as number[], helped: [] as boolean[] };
  let step = 0;
  for (const [scored, questions] of [
    [false, session.warmUp],
    [true, session.test],
  ] as const) {
    for (const question of questions) {
      step += 1;
      const used = index.nearest(question.text, options.retrieval);
      const found = used.map((id) => index.question(id));
      const corpus = nearestTurns(session, question, vectors);
      const quality = await options.quality(
        question,
        found.map(({ experience }) => experience),
        corpus,
      );
      if (scored) {
        result.qualities.push(quality);
        result.returned.push(used.length);
        result.helped.push(found.some(({ evidence }) => evidence.some((id) => question.evidence.includes(id))));
      }
      store.feedback({ requestId: '', used, delta: 1 - quality });
      const { admitted, evicted } = store.admit({
        requestId: '',
        id: `x${step}`,
        seed: Math.floor(seeds.next() * 2 ** 31),
      });
      index.remove(evicted);
      if (admitted) index.add(`x${step}`, question);
    }
  }
  return result;
}

function policyOf({ policy, capacity }: ExperienceOptions, index: ExperienceIndex): PolicyConfig {
  if (policy === 'unlimited') return plainPolicy('unlimited', Infinity, { rememberedRequests: 0 });
  return referencePolicy(policy, capacity, ({ id }, neighbours, live) => index.novelty(id, neighbours, live));
}

interface Row {
  readonly id: string;
  readonly vector: Float32Array;
  readonly question: Question;
  readonly cosines: Map<Row, number>;
  live: boolean;
}

/** Rows in the order of insertion; a row that was evicted stays until the index is compacted. */
class ExperienceIndex {
  private rows: Row[] = [];
  private readonly byId = new Map<string, Row>();
  private removed = 0;

  constructor(
    private readonly vectors: TextVectors,
    private readonly compactEvery: number,
  ) {}

  add(id: string, question: Question): void {
    const row = {
      id,
      vector: this.vectors.of(question.experience),
      question,
      cosines: new Map<Row, number>(),
      live: true,
    };
    this.rows.push(row);
    this.byId.set(id, row);
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) {
      const row = this.byId.get(id);
      if (row !== undefined) row.live = false;
      this.byId.delete(id);
      this.removed += 1;
      if (this.removed % this.compactEvery === 0) this.rows = this.rows.filter(({ live }) => live);
    }
  }

  question(id: string): Question {
    return (this.byId.get(id) as Row).question;
  }

  nearest(text: string, retrieval: Retrieval): string[] {
    const query = this.vectors.of(text);
    const looked = retrieval === 'exact' ? this.rows.filter(({ live }) => live) : this.rows;
    const wide = retrieval === 'exact' ? depth : 2 * depth;
    return largest(looked, ({ vector }) => dot(query, vector), wide)
      .filter(({ live }) => live)
      .slice(0, depth)
      .map(({ id }) => id);
  }

  /** Of the reference: one neighbour, 1 − cosine; else 1 − exp(−d² / 2·dim) of the mean distance to the two nearest, next to nothing. */
  novelty(id: string, neighbours: number, live: Iterable<string>): number | undefined {
    const own = this.byId.get(id) as Row;
    let [first, second] = [-Infinity, -Infinity];
    for (const other of live) {
      if (other === id) continue;
      const cosine = cosineOf(own, this.byId.get(other) as Row);
      if (cosine > first) [first, second] = [cosine, first];
      else if (cosine > second) second = cosine;
    }
    if (first === -Infinity) return undefined;
    if (neighbours === 1) return 1 - first;
    const distances = [first, second]
      .filter((cosine) => cosine > -Infinity)
      .map((cosine) => Math.sqrt(Math.max(0, 2 - 2 * cosine)));
    const mean = distances.reduce((sum, value) => sum + value, 0) / distances.length;
    return 1 - Math.exp(-(mean ** 2) / (2 * own.vector.length));
  }
}

/** Every eviction compares all with all: each pair is computed once. */
function cosineOf(a: Row, b: Row): number {
  const known = a.cosines.get(b) ?? dot(a.vector, b.vector);
  a.cosines.set(b, known);
  return known;
}

function largest<T>(items: readonly T[], valueOf: (item: T) => number, most: number): T[] {
  return items
    .map((item, at) => ({ item, value: valueOf(item), at }))
    .sort((a, b) => b.value - a.value || a.at - b.at)
    .slice(0, most)
    .map(({ item }) => item);
}

const turnsOf = new WeakMap<QaSession['corpus'], Map<string, readonly string[]>>();

/** The read-only part, shared by all policies. */
function nearestTurns({ corpus }: QaSession, { text }: Question, vectors: TextVectors): readonly string[] {
  const known = turnsOf.get(corpus) ?? new Map<string, readonly string[]>();
  turnsOf.set(corpus, known);
  const query = vectors.of(text);
  const turns =
    known.get(text) ??
    largest(corpus, (turn) => dot(query, vectors.of(turn.text)), corpusDepth).map((turn) => turn.text);
  known.set(text, turns);
  return turns;
}
