/** An act of sgd-ticketing: service, act, slot, values. */
export type SgdAct = readonly [service: string, act: string, slot: string, values: readonly unknown[]];

interface Call {
  readonly service: string;
  readonly results_n?: number;
  readonly results?: readonly Readonly<Record<string, unknown>>[];
}

interface Frame {
  readonly intent?: string;
  readonly slots?: Readonly<Record<string, unknown>>;
}

export interface SgdTurn {
  readonly acts: readonly SgdAct[];
  readonly calls?: readonly Call[];
  readonly state: Readonly<Record<string, Frame>>;
}

type Intents = Readonly<
  Record<string, { readonly required: readonly string[]; readonly optional: Readonly<Record<string, unknown>> }>
>;
/** What the judge needs of schema.json. */
export type SgdSchema = Readonly<Record<string, { readonly intents: Intents }>>;

type Acts = ReadonlyMap<string, readonly SgdAct[]>;
type Offers = ReadonlyMap<string, readonly string[]>;

/** What the judge needs of an exchange: its own acts, and what its conversation had come to. */
export interface SgdFacts {
  readonly acts: Acts;
  /** The same with GOODBYE and REQ_MORE of no service. */
  readonly general: Acts;
  readonly latest: ReadonlyMap<string, Call>;
  readonly state: SgdTurn['state'];
  readonly offered: ReadonlyMap<string, readonly Offers[]>;
}

const anyService = '*';
const serviceFree = new Set(['GOODBYE', 'REQ_MORE']);
const openActs = new Set(['INFORM_COUNT', 'OFFER', 'REQUEST']);

const text = (value: unknown): string =>
  value === true ? 'True' : value === false ? 'False' : value == null ? 'None' : String(value as string);
const texts = (values: readonly unknown[]): string[] => values.map(text);
const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);

function grouped(acts: readonly SgdAct[], keyOf: (act: SgdAct) => string): Map<string, SgdAct[]> {
  const groups = new Map<string, SgdAct[]>();
  for (const act of acts) {
    const key = keyOf(act);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(act);
  }
  return groups;
}

const offersOf = (acts: readonly SgdAct[]): Offers =>
  new Map(acts.filter((act) => act[1] === 'OFFER').map((act) => [act[2], texts(act[3])]));

/** What the judge needs of each exchange of a conversation. */
export function sgdFacts(turns: readonly SgdTurn[]): SgdFacts[] {
  const latest = new Map<string, Call>();
  const offered = new Map<string, Offers[]>();
  return turns.map((turn) => {
    for (const call of turn.calls ?? []) latest.set(call.service, call);
    const acts = grouped(turn.acts, ([service]) => service);
    const free = turn.acts.map(([service, act, slot, values]): SgdAct => [
      serviceFree.has(act) ? anyService : service,
      act,
      slot,
      values,
    ]);
    const facts: SgdFacts = {
      acts,
      general: grouped(free, ([service]) => service),
      latest: new Map(latest),
      state: turn.state,
      offered: new Map([...offered].map(([service, offers]) => [service, [...offers]])),
    };
    for (const [service, own] of acts) {
      const offers = offersOf(own);
      if (offers.size > 0) offered.set(service, [...(offered.get(service) ?? []), offers]);
    }
    return facts;
  });
}

/** Ground truth of sgd-ticketing: the two labels that its README defines. */
export class SgdJudge {
  constructor(private readonly schema: SgdSchema) {}

  /** The label `acceptable` of the README. */
  acceptable(cached: SgdFacts, query: SgdFacts): boolean {
    return this.fits(cached.acts, query.acts, query);
  }

  /** The general label: accepted by that rule, or by it with GOODBYE and REQ_MORE of no service. */
  generallyAcceptable(cached: SgdFacts, query: SgdFacts): boolean {
    if (this.acceptable(cached, query)) return true;
    let own = cached.general;
    let given = query.general;
    const stands =
      hasAct(own, 'REQ_MORE') &&
      !hasAct(given, 'REQ_MORE') &&
      hasAct(given, 'OFFER_INTENT') &&
      !hasAct(own, 'OFFER_INTENT');
    if (stands) {
      own = without(own, 'REQ_MORE');
      given = without(given, 'OFFER_INTENT');
    }
    return this.fits(onceEach(own), onceEach(given), query);
  }

  private fits(cached: Acts, given: Acts, facts: SgdFacts): boolean {
    return [...new Set([...cached.keys(), ...given.keys()])].every((service) => {
      const own = cached.get(service) ?? [];
      const fresh = given.get(service) ?? [];
      const latest = facts.latest.get(service);
      return (
        countFits(own, fresh, latest) &&
        offerFits(own, fresh, latest, facts.offered.get(service) ?? []) &&
        this.requestFits(own, fresh, service, facts.state) &&
        restFits(own, fresh)
      );
    });
  }

  private requestFits(
    own: readonly SgdAct[],
    fresh: readonly SgdAct[],
    service: string,
    state: SgdFacts['state'],
  ): boolean {
    const slotsOf = (acts: readonly SgdAct[]) => acts.filter((act) => act[1] === 'REQUEST').map((act) => act[2]);
    const asked = slotsOf(own);
    const given = slotsOf(fresh);
    if (asked.length > 0 !== given.length > 0) return false;
    const frame = state[service];
    const intent = this.schema[service]?.intents[frame?.intent ?? ''];
    return asked.every((slot) => {
      if (given.includes(slot)) return true;
      if (frame?.slots !== undefined && slot in frame.slots) return false;
      return intent !== undefined && (intent.required.includes(slot) || slot in intent.optional);
    });
  }
}

function countFits(own: readonly SgdAct[], fresh: readonly SgdAct[], latest: Call | undefined): boolean {
  const count = own.find((act) => act[1] === 'INFORM_COUNT');
  if (count === undefined) return true;
  const given = fresh.find((act) => act[1] === 'INFORM_COUNT');
  if (given === undefined && latest === undefined) return false;
  return sameList(texts(count[3]), given === undefined ? [text(latest?.results_n)] : texts(given[3]));
}

const sameOffers = (a: Offers, b: Offers): boolean =>
  a.size === b.size && [...a].every(([slot, values]) => sameList(values, b.get(slot) ?? []) && b.has(slot));

function offerFits(
  own: readonly SgdAct[],
  fresh: readonly SgdAct[],
  latest: Call | undefined,
  offered: readonly Offers[],
): boolean {
  const cached = offersOf(own);
  const given = offersOf(fresh);
  if (cached.size !== given.size || [...cached.keys()].some((slot) => !given.has(slot))) return false;
  if (cached.size === 0 || sameOffers(cached, given)) return true;
  const matches = (row: Readonly<Record<string, unknown>>, offer: Offers): boolean =>
    [...offer].every(([slot, values]) => text(row[slot]) === values[0]);
  return (latest?.results ?? []).some(
    (row) => matches(row, cached) && !offered.some((earlier) => matches(row, earlier)),
  );
}

interface Rest {
  readonly act: string;
  readonly key: string;
}

const restOf = (acts: readonly SgdAct[]): Rest[] =>
  acts
    .filter((act) => !openActs.has(act[1]))
    .map((act) => ({ act: act[1], key: JSON.stringify([act[1], act[2], texts(act[3])]) }));
const sameBag = (a: readonly Rest[], b: readonly Rest[]): boolean =>
  sameList(a.map(({ key }) => key).sort(), b.map(({ key }) => key).sort());

function restFits(own: readonly SgdAct[], fresh: readonly SgdAct[]): boolean {
  const cached = restOf(own);
  const given = restOf(fresh);
  if (sameBag(cached, given)) return true;
  const has = (acts: readonly Rest[], name: string): boolean => acts.some(({ act }) => act === name);
  const less = (acts: readonly Rest[], name: string): Rest[] => acts.filter(({ act }) => act !== name);
  return (
    has(cached, 'REQ_MORE') &&
    has(given, 'OFFER_INTENT') &&
    !has(cached, 'OFFER_INTENT') &&
    !has(given, 'REQ_MORE') &&
    sameBag(less(cached, 'REQ_MORE'), less(given, 'OFFER_INTENT'))
  );
}

function onceEach(groups: Acts): Acts {
  const free = groups.get(anyService);
  if (free === undefined) return groups;
  return new Map(groups).set(anyService, [...new Map(free.map((act) => [JSON.stringify(act), act])).values()]);
}

const hasAct = (groups: Acts, name: string): boolean =>
  [...groups.values()].some((acts) => acts.some((act) => act[1] === name));

function without(groups: Acts, name: string): Acts {
  const kept = [...groups].map(([service, acts]) => [service, acts.filter((act) => act[1] !== name)] as const);
  return new Map(kept.filter(([, acts]) => acts.length > 0));
}
