import {
  answerGuard,
  decodeFingerprint,
  type Dossier,
  FEATURE_NAMES,
  FEATURES,
  type GuardFingerprint,
  type GuardOptions,
  type GuardReason,
  hardGuards,
  type NamedSpecifics,
  NEIGHBOURS,
  pairFeatures,
  SCORED,
  withLocalClasses,
} from '@reprise/policy';
import type { CacheDependencies } from '../dependencies.js';
import type { Candidate, LookupReply } from '../ports/entry-store.port.js';
import type { HeldSnapshot } from './risk-snapshots.js';
import type { StateReading } from './state-reading.js';

const SIMILARITY = FEATURE_NAMES.indexOf('similarity');
/** What the store takes. */
const MOST_COUNT = 64;

/** The candidate of a request with everything that its score and its label rest on. */
export interface RatedCandidate {
  readonly candidate: Candidate;
  /** Its 60 features. */
  readonly row: Float64Array;
  /** Estimated probability that the reuse would be wrong; absent without a model. */
  readonly score?: number;
  /** Vectors of message, previous reply and candidate reply, while no axes are known. */
  readonly texts?: Float32Array;
}

export interface RiskReading {
  readonly state: StateReading;
  /** Entries of other conversations that could be scored. */
  readonly candidates: readonly RatedCandidate[];
  /** The best that no hard guard refuses. */
  readonly best?: RatedCandidate;
  /** Why the best of all was refused, when it was. */
  readonly refusal?: GuardReason | 'fingerprint-version';
}

export interface RiskQuestion {
  readonly ns: string;
  readonly conversation: string;
  readonly state: StateReading;
  readonly fingerprint: GuardFingerprint;
  /** What the caller's conversation has named. */
  readonly named: () => NamedSpecifics;
  readonly options: GuardOptions;
  readonly snapshot: HeldSnapshot | undefined;
}

/** How many nearest entries to look up: those of the own conversation are near, and no candidates. */
export const lookupCount = ({ turn }: StateReading): number => Math.min(MOST_COUNT, NEIGHBOURS + turn.turn);

/** Scores the nearest entries of other conversations; one call of the store, for dossiers that are not held. */
export async function readRisk(
  deps: Pick<CacheDependencies, 'store' | 'dossiers' | 'embedder'>,
  question: RiskQuestion,
  found: LookupReply,
): Promise<RiskReading> {
  const { ns, conversation, state, snapshot } = question;
  const near = found.candidates.filter((one) => one.conversation !== conversation).slice(0, NEIGHBOURS);
  if (near.length === 0) return { state, candidates: [] };
  const { dimensions } = deps.embedder;
  const ids = near.map(({ id }) => id);
  const dossiers = await deps.dossiers.read(deps.store, ns, ids, dimensions);
  const known = near.flatMap((candidate) => {
    const dossier = dossiers.get(candidate.id);
    return dossier === undefined ? [] : [{ candidate, dossier }];
  });
  return { state, ...best(rate(state, known, usable(snapshot, dimensions)), question) };
}

/** A model for vectors of another size says nothing about these. */
export function usable(snapshot: HeldSnapshot | undefined, dimensions: number): HeldSnapshot | undefined {
  return snapshot?.knowledge?.axes.mean.length === dimensions ? snapshot : undefined;
}

interface Known {
  readonly candidate: Candidate;
  readonly dossier: Dossier;
}

function rate({ turn }: StateReading, known: readonly Known[], snapshot: HeldSnapshot | undefined): RatedCandidate[] {
  const { axes, model } = snapshot?.knowledge ?? {};
  const entries = withLocalClasses(
    known.map(({ dossier }) => dossier),
    SCORED,
  );
  const rows = pairFeatures(turn, entries, axes);
  const count = rows.length / FEATURES;
  const scores = model?.score(rows, count);
  return known.slice(0, count).map(({ candidate, dossier }, i) => {
    const row = rows.slice(i * FEATURES, (i + 1) * FEATURES);
    if (scores !== undefined) return { candidate, row, score: scores[i] as number };
    return { candidate, row, texts: textsOf(turn, dossier) };
  });
}

function textsOf(turn: StateReading['turn'], { reply }: Dossier): Float32Array {
  const n = turn.message.vector.length;
  const texts = new Float32Array(3 * n);
  [turn.message.vector, turn.previous.vector, reply.vector].forEach((vector, i) => texts.set(vector, i * n));
  return texts;
}

/** Lowest score first; without a model highest similarity first, and nearest first on ties. */
function best(
  rated: readonly RatedCandidate[],
  question: RiskQuestion,
): Pick<RiskReading, 'candidates' | 'best' | 'refusal'> {
  const rank = ({ score, row }: RatedCandidate): number => score ?? -(row[SIMILARITY] as number);
  const candidates = [...rated].sort((a, b) => rank(a) - rank(b));
  let refusal: GuardReason | 'fingerprint-version' | undefined;
  for (const one of candidates) {
    const wall = wallOf(one.candidate, question);
    if (wall === undefined) return { candidates, best: one, ...(refusal === undefined ? {} : { refusal }) };
    refusal ??= wall;
  }
  return refusal === undefined ? { candidates } : { candidates, refusal };
}

/** Why no score can make it right; undefined: nothing stands against it. */
function wallOf(
  candidate: Candidate,
  { fingerprint, named, options }: RiskQuestion,
): GuardReason | 'fingerprint-version' | undefined {
  const other = decodeFingerprint(candidate.fingerprint);
  if (other === undefined) return 'fingerprint-version';
  return hardGuards(fingerprint, other, options) ?? answerGuard(named(), other.answer, options);
}
