// Ground truth of sgd-ticketing: the `acceptable` (README) label and the general label, as its README defines them.
import { readSchema } from './dataset.mjs';

let schema;
const intentsOf = (service) => (schema ??= readSchema())[service]?.intents;
const GENERAL = new Set(['GOODBYE', 'REQ_MORE']);
const OPEN_ACTS = new Set(['INFORM_COUNT', 'OFFER', 'REQUEST']);
const text = (value) => (value === true ? 'True' : value === false ? 'False' : value == null ? 'None' : String(value));
const texts = (values) => values.map(text);
const sameList = (a, b) => a.length === b.length && a.every((value, i) => value === b[i]);

function groupByService(acts) {
  const groups = new Map();
  for (const act of acts) {
    if (!groups.has(act[0])) groups.set(act[0], []);
    groups.get(act[0]).push(act);
  }
  return groups;
}

const offersOf = (acts) => new Map(acts.filter((act) => act[1] === 'OFFER').map((act) => [act[2], texts(act[3])]));

/** What the judge needs of each turn of a conversation. */
export function turnFacts({ turns }) {
  const latest = new Map();
  const offered = new Map();
  return turns.map((turn) => {
    for (const call of turn.calls ?? []) latest.set(call.service, call);
    const acts = groupByService(turn.acts);
    const facts = {
      acts,
      general: generalise(acts),
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

/** GOODBYE and REQ_MORE belong to no service. */
function generalise(acts) {
  const groups = new Map();
  for (const [service, own] of acts) {
    for (const act of own) {
      const at = GENERAL.has(act[1]) ? '*' : service;
      if (!groups.has(at)) groups.set(at, []);
      groups.get(at).push([at, ...act.slice(1)]);
    }
  }
  return groups;
}

function countFits(own, fresh, latest) {
  const count = own.find((act) => act[1] === 'INFORM_COUNT');
  if (count === undefined) return true;
  const given = fresh.find((act) => act[1] === 'INFORM_COUNT');
  if (given === undefined && latest === undefined) return false;
  return sameList(texts(count[3]), given === undefined ? [text(latest.results_n)] : texts(given[3]));
}

const sameOffers = (a, b) =>
  a.size === b.size && [...a].every(([slot, values]) => b.has(slot) && sameList(values, b.get(slot)));

function offerFits(own, fresh, latest, offered) {
  const cached = offersOf(own);
  const given = offersOf(fresh);
  if (cached.size !== given.size || [...cached.keys()].some((slot) => !given.has(slot))) return false;
  if (cached.size === 0 || sameOffers(cached, given)) return true;
  const matches = (row, offer) => [...offer].every(([slot, values]) => text(row[slot]) === values[0]);
  return (latest?.results ?? []).some(
    (row) => matches(row, cached) && !offered.some((earlier) => matches(row, earlier)),
  );
}

function requestFits(own, fresh, service, state) {
  const asked = own.filter((act) => act[1] === 'REQUEST').map((act) => act[2]);
  const given = fresh.filter((act) => act[1] === 'REQUEST').map((act) => act[2]);
  if (asked.length > 0 !== given.length > 0) return false;
  const frame = state[service];
  const intent = intentsOf(service)?.[frame?.intent];
  return asked.every((slot) => {
    if (given.includes(slot)) return true;
    if (frame?.slots !== undefined && slot in frame.slots) return false;
    return intent !== undefined && (intent.required.includes(slot) || slot in intent.optional);
  });
}

const restOf = (acts) =>
  acts
    .filter((act) => !OPEN_ACTS.has(act[1]))
    .map((act) => ({ act: act[1], key: JSON.stringify([act[1], act[2], texts(act[3])]) }));
const sameBag = (a, b) => sameList(a.map(({ key }) => key).sort(), b.map(({ key }) => key).sort());

function restFits(own, fresh) {
  const cached = restOf(own);
  const given = restOf(fresh);
  if (sameBag(cached, given)) return true;
  const has = (acts, name) => acts.some(({ act }) => act === name);
  const without = (acts, name) => acts.filter(({ act }) => act !== name);
  return (
    has(cached, 'REQ_MORE') &&
    has(given, 'OFFER_INTENT') &&
    !has(cached, 'OFFER_INTENT') &&
    !has(given, 'REQ_MORE') &&
    sameBag(without(cached, 'REQ_MORE'), without(given, 'OFFER_INTENT'))
  );
}

function fits(cached, given, facts) {
  return [...new Set([...cached.keys(), ...given.keys()])].every((service) => {
    const own = cached.get(service) ?? [];
    const fresh = given.get(service) ?? [];
    const latest = facts.latest.get(service);
    return (
      countFits(own, fresh, latest) &&
      offerFits(own, fresh, latest, facts.offered.get(service) ?? []) &&
      requestFits(own, fresh, service, facts.state) &&
      restFits(own, fresh)
    );
  });
}

/** The README label. */
export const acceptable = (cached, query) => fits(cached.acts, query.acts, query);

function onceEach(groups) {
  const general = groups.get('*');
  if (general === undefined) return groups;
  return new Map(groups).set('*', [...new Map(general.map((act) => [JSON.stringify(act), act])).values()]);
}

const has = (groups, name) => [...groups.values()].some((acts) => acts.some((act) => act[1] === name));

function drop(groups, name) {
  const kept = [...groups].map(([service, acts]) => [service, acts.filter((act) => act[1] !== name)]);
  return new Map(kept.filter(([, acts]) => acts.length > 0));
}

/** The general label: accepted by the README rule, or by it with service-free GOODBYE and REQ_MORE. */
export function generallyAcceptable(cached, query) {
  if (acceptable(cached, query)) return true;
  let own = cached.general;
  let given = query.general;
  const stands =
    has(own, 'REQ_MORE') && !has(given, 'REQ_MORE') && has(given, 'OFFER_INTENT') && !has(own, 'OFFER_INTENT');
  if (stands) {
    own = drop(own, 'REQ_MORE');
    given = drop(given, 'OFFER_INTENT');
  }
  return fits(onceEach(own), onceEach(given), query);
}
