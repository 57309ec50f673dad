import type { SlotName, Slots } from './entities.js';
import type { IntentSpec } from './intent.js';
import type { SeededRandom } from './seeded-random.js';
import {
  BRANCHES,
  CATEGORIES,
  COLOURS,
  COUNTRIES,
  CURRENCIES,
  DATES,
  DAYS,
  PEOPLE,
  PRODUCTS,
  VERSIONS,
} from './shop.js';

const PRODUCT_NAMES = PRODUCTS.map((product) => product.name);
const ALL_DAYS: readonly string[] = [...DAYS, ...DATES];
const WEIGHTS = ['10', '20', '30', '40', '60'].flatMap((amount) => [`${amount} kg`, `${amount} lb`]);
const RANKS = ['first', 'second', 'third'];

const VALUES: Readonly<Record<Exclude<SlotName, 'order'>, readonly string[]>> = {
  product: PRODUCT_NAMES,
  product2: PRODUCT_NAMES,
  category: CATEGORIES,
  colour: COLOURS,
  currency: CURRENCIES,
  day: ALL_DAYS,
  country: COUNTRIES,
  from: BRANCHES,
  to: BRANCHES,
  person: PEOPLE,
  version: VERSIONS,
  weight: WEIGHTS,
  rank: RANKS,
};

const ZIPF_EXPONENT = 1.1;
const KNOWN_ORDERS = 400;

/** The order numbers that customers ask about; few of them more than once. */
function sampleOrder(random: SeededRandom): string {
  return String(40_000 + ((random.between(0, KNOWN_ORDERS - 1) * 7_919) % 50_000));
}

/** A value for a slot: popular values are popular for everybody. */
export function sampleSlot(slot: SlotName, random: SeededRandom): string {
  if (slot === 'order') return sampleOrder(random);
  const values = VALUES[slot];
  return values[random.zipf(values.length, ZIPF_EXPONENT)] ?? '';
}

/** Another value for a slot, never `value` itself. */
export function otherSlot(slot: SlotName, value: string, random: SeededRandom): string {
  if (slot === 'order') return neighbourOrder(value, random);
  return random.pick(VALUES[slot].filter((candidate) => candidate !== value));
}

/** An order number that differs in one digit. */
function neighbourOrder(order: string, random: SeededRandom): string {
  const place = random.between(1, order.length - 1);
  const digit = (Number(order[place]) + random.between(1, 9)) % 10;
  return order.slice(0, place) + digit + order.slice(place + 1);
}

/** Values for all slots of an intent; two products or two places are never the same. */
export function sampleSlots(intent: IntentSpec, random: SeededRandom): Slots {
  const slots: Slots = {};
  for (const slot of intent.slots) slots[slot] = sampleSlot(slot, random);
  if (slots.product2 !== undefined && slots.product2 === slots.product) {
    slots.product2 = otherSlot('product2', slots.product2, random);
  }
  if (slots.to !== undefined && slots.to === slots.from) slots.to = otherSlot('to', slots.to, random);
  return slots;
}

/** Puts slot values into a wording. */
export function fillSlots(wording: string, slots: Slots): string {
  return wording.replace(/\{([a-z0-9]+)\}/g, (whole, slot: string) => slots[slot as SlotName] ?? whole);
}
