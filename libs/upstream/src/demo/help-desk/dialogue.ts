import { rankIndex, type Slots } from './entities.js';
import { productsOf } from './product-intents.js';
import { readFollowUp, type FollowUpKind } from './follow-ups.js';
import { genericAnswer } from './generic-answer.js';
import type { IntentSpec, Offer } from './intent.js';
import { answerKeyOf, INTENT_INDEX, intentNamed } from './intents.js';

/** What a turn came to. */
export interface Resolved {
  /** The right answer, without any opening words. */
  text: string;
  answerKey: string;
  /** The intent that was answered, or the kind of message where there is none. */
  intent: string;
  slots: Slots;
}

interface Topic {
  intent: IntentSpec;
  slots: Slots;
}

/** What later turns may refer to. */
export interface DialogueState {
  topic?: Topic;
  product?: string;
  order?: string;
  /** The entity spoken of last. */
  focus?: 'product' | 'order';
  list?: readonly string[];
  offer?: { offer: Offer; slots: Slots };
  last?: Resolved;
}

type Handler = (state: DialogueState, slots: Slots) => Topic | Resolved | undefined;

const UNDO: Readonly<Record<string, string>> = {
  'alerts.on': 'alerts.off',
  'alerts.off': 'alerts.on',
  'newsletter.on': 'newsletter.off',
  'newsletter.off': 'newsletter.on',
  'card.add': 'card.remove',
  'card.remove': 'card.add',
  'twostep.on': 'twostep.off',
  'twostep.off': 'twostep.on',
  'account.open': 'account.close',
  'account.close': 'account.open',
};

const said = (intent: string, answerKey: string, text: string, slots: Slots = {}): Resolved => ({
  intent,
  answerKey,
  text,
  slots,
});

const closing =
  (id: string, text: string): Handler =>
  () =>
    said(id, id, text);

const ofProduct =
  (id: string): Handler =>
  (state, slots) =>
    state.product === undefined ? undefined : { intent: intentNamed(id), slots: { ...slots, product: state.product } };

const ofOrder =
  (id: string): Handler =>
  (state) =>
    state.order === undefined ? undefined : { intent: intentNamed(id), slots: { order: state.order } };

const sameTopic =
  (slot: keyof Slots): Handler =>
  (state, slots) => {
    const { topic } = state;
    if (topic === undefined || !topic.intent.slots.includes(slot)) return undefined;
    return { intent: topic.intent, slots: { ...topic.slots, ...slots } };
  };

const ofTopic =
  (kind: string, field: 'takes' | 'fee' | 'because'): Handler =>
  ({ topic }) => {
    const text = topic?.intent[field];
    return topic === undefined || text === undefined ? undefined : said(kind, `${kind}|${topic.intent.id}`, text);
  };

function ordinal(intentId: string | undefined): Handler {
  return (state, slots) => {
    const product = state.list?.[rankIndex(slots.rank)];
    if (product === undefined) return undefined;
    const topic = state.topic?.intent.id ?? '';
    const same = topic.startsWith('product.') && topic !== 'product.compare' ? topic : 'product.about';
    const intent = intentNamed(intentId ?? same);
    return { intent, slots: { ...(intentId === undefined ? state.topic?.slots : {}), product } };
  };
}

const price: Handler = (state, slots) =>
  state.focus === 'order' ? ofOrder('order.total')(state, slots) : ofProduct('product.price')(state, slots);

const yes: Handler = ({ offer }) =>
  offer === undefined
    ? undefined
    : said('yes', `yes|${offer.offer.id}${slotText(offer.slots)}`, offer.offer.done(offer.slots), offer.slots);

const more: Handler = ({ topic, last }) => {
  if (topic === undefined || last === undefined) return undefined;
  const parts = [topic.intent.because, topic.intent.takes, topic.intent.fee].filter((part) => part !== undefined);
  return said('more', `more|${topic.intent.id}`, `A little more on that: ${parts.join(' ')}`);
};

const HANDLERS: Readonly<Record<FollowUpKind, Handler>> = {
  price,
  arrival: ofOrder('order.arrival'),
  status: ofOrder('order.status'),
  cancel: ofOrder('order.cancel'),
  colours: ofProduct('product.colours'),
  colour: ofProduct('product.colour'),
  warranty: ofProduct('product.warranty'),
  stock: ofProduct('product.stock'),
  weight: ofProduct('product.weight'),
  material: ofProduct('product.material'),
  clean: ofProduct('product.clean'),
  ordinal: ordinal(undefined),
  'ordinal-price': ordinal('product.price'),
  'same-order': sameTopic('order'),
  'same-product': sameTopic('product'),
  'same-day': sameTopic('day'),
  'same-country': sameTopic('country'),
  'same-currency': sameTopic('currency'),
  'price-in': ofProduct('product.price'),
  yes,
  no: ({ offer }) => (offer === undefined ? undefined : said('no', 'no', 'All right, I will leave it as it is.')),
  duration: ofTopic('duration', 'takes'),
  fee: ofTopic('fee', 'fee'),
  why: ofTopic('why', 'because'),
  more,
  repeat: ({ last }) => last,
  undo: ({ topic }) => {
    const id = UNDO[topic?.intent.id ?? ''];
    return id === undefined ? undefined : { intent: intentNamed(id), slots: {} };
  },
  thanks: closing('thanks', 'You are welcome! Write again whenever something comes up.'),
  bye: closing('bye', 'Goodbye, and have a pleasant day!'),
  hello: closing('hello', 'Hello! This is the Tidewick help desk. What can I do for you?'),
};

function slotText(slots: Slots): string {
  return Object.entries(slots)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([slot, value]) => `|${slot}=${value}`)
    .join('');
}

function answerTopic(topic: Topic, residual: readonly string[] = []): Resolved {
  const slots: Slots = { ...topic.intent.defaults, ...topic.slots };
  const offer = topic.intent.offer === undefined ? '' : ` ${topic.intent.offer.question}`;
  const extra = residual.length === 0 ? '' : `|said=${[...residual].sort().join(' ')}`;
  return said(topic.intent.id, answerKeyOf(topic.intent, slots) + extra, topic.intent.answer(slots) + offer, slots);
}

function afterTopic(state: DialogueState, topic: Topic, resolved: Resolved): DialogueState {
  const { slots } = resolved;
  const next: DialogueState = { ...state, topic: { intent: topic.intent, slots }, last: resolved };
  delete next.offer;
  if (topic.intent.offer !== undefined) next.offer = { offer: topic.intent.offer, slots };
  if (slots.product !== undefined) {
    next.product = slots.product;
    next.focus = 'product';
  } else if (slots.order !== undefined) {
    next.order = slots.order;
    next.focus = 'order';
  }
  if (slots.category !== undefined) next.list = productsOf(slots.category);
  else if (slots.product2 !== undefined && slots.product !== undefined) next.list = [slots.product, slots.product2];
  return next;
}

function withoutOffer(state: DialogueState, last: Resolved): DialogueState {
  const next: DialogueState = { ...state, last };
  delete next.offer;
  return next;
}

const complete = (intent: IntentSpec, slots: Slots): boolean =>
  intent.slots.every((slot) => slots[slot] !== undefined || intent.defaults?.[slot] !== undefined);

function clarify(kind: FollowUpKind): Resolved {
  return said(
    'clarify',
    `clarify|${kind}`,
    'I am not sure what you refer to. Could you name the order, the product or the matter?',
  );
}

/** One user turn: what it means after what was said, and what can be referred to afterwards. */
export function step(state: DialogueState, text: string): { resolved: Resolved; state: DialogueState } {
  const match = INTENT_INDEX.match(text);
  const topic = match === undefined ? undefined : { intent: intentNamed(match.id), slots: match.slots };
  const usable = topic !== undefined && match !== undefined && complete(topic.intent, topic.slots);
  if (usable && match.residual.length === 0) {
    const resolved = answerTopic(topic);
    return { resolved, state: afterTopic(state, topic, resolved) };
  }
  const followUp = readFollowUp(text);
  if (followUp !== undefined) {
    const outcome = HANDLERS[followUp.kind](state, followUp.slots) ?? clarify(followUp.kind);
    if ('answerKey' in outcome) return { resolved: outcome, state: withoutOffer(state, outcome) };
    const resolved = answerTopic(outcome);
    return { resolved, state: afterTopic(state, outcome, resolved) };
  }
  if (usable) {
    const resolved = answerTopic(topic, match.residual);
    return { resolved, state: afterTopic(state, topic, resolved) };
  }
  const generic = genericAnswer(text, state.last?.answerKey);
  const resolved = said('generic', generic.answerKey, generic.text);
  const { topic: _topic, ...rest } = withoutOffer(state, resolved);
  return { resolved, state: rest };
}
