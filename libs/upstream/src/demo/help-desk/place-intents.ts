import type { IntentSpec } from './intent.js';
import { appChange, extensionOf, money, openingHours, SHOP, shippingDays, shippingEuro, transferEuro } from './shop.js';

/** Facts about a day, a country, a way, a weight, a person or a version. */
export const PLACE_INTENTS: readonly IntentSpec[] = [
  {
    id: 'hours.day',
    slots: ['day'],
    nouns: ['the opening hours on {day}', 'your opening hours on {day}'],
    questions: ['when are you open on {day}', 'what are your opening hours on {day}', 'when is the shop open on {day}'],
    clauses: ['when you are open on {day}', 'when the shop is open on {day}'],
    answer: (s) => `On ${s.day} ${openingHours(s.day ?? '')}.`,
    because: 'The hours follow the trading rules of the town.',
  },
  {
    id: 'shipping.cost',
    slots: ['country'],
    nouns: ['the shipping cost to {country}', 'the price of shipping to {country}'],
    questions: [
      'how much is shipping to {country}',
      'how much does shipping to {country} cost',
      'what does shipping to {country} cost',
    ],
    clauses: ['how much shipping to {country} is', 'how much shipping to {country} costs'],
    answer: (s) =>
      `Shipping to ${s.country} costs ${money(shippingEuro(s.country ?? ''), 'euro')}, and nothing above an order value of €150.`,
    because: 'We pass on what the carrier charges.',
    nearMisses: ['shipping.time'],
  },
  {
    id: 'shipping.time',
    slots: ['country'],
    nouns: ['the shipping time to {country}', 'the delivery time to {country}'],
    questions: [
      'how long does shipping to {country} take',
      'how long is shipping to {country}',
      'how long does delivery to {country} take',
    ],
    clauses: ['how long shipping to {country} takes', 'how long delivery to {country} takes'],
    answer: (s) =>
      `Shipping to ${s.country} takes ${shippingDays(s.country ?? '')} working days from the day of dispatch.`,
    because: 'It depends on how often the lorries leave.',
    nearMisses: ['shipping.cost'],
  },
  {
    id: 'transfer.cost',
    slots: ['from', 'to'],
    nouns: ['the price for moving a parcel from {from} to {to}'],
    questions: [
      'how much is it to move a parcel from {from} to {to}',
      'what does it cost to move a parcel from {from} to {to}',
    ],
    clauses: ['how much moving a parcel from {from} to {to} costs'],
    answer: (s) =>
      `Moving a parcel from our shop in ${s.from} to the one in ${s.to} costs ${money(transferEuro(s.from ?? '', s.to ?? ''), 'euro')}.`,
    because: 'One direction is dearer because the van comes back empty.',
  },
  {
    id: 'weight.limit',
    slots: ['weight'],
    questions: [
      'can you deliver a parcel of {weight}',
      'do you deliver a parcel of {weight}',
      'can you ship a parcel of {weight}',
    ],
    clauses: ['if you can deliver a parcel of {weight}', 'whether you ship a parcel of {weight}'],
    answer: (s) => {
      const [amount = '0', unit = 'kg'] = (s.weight ?? '0 kg').split(' ');
      const kilos = Number(amount) * (unit === 'lb' ? 0.4536 : 1);
      return kilos <= 25
        ? `Yes, ${s.weight} is within what one person may carry, so it comes to your door.`
        : `A parcel of ${s.weight} goes by freight and is set down at the kerb.`;
    },
    because: 'One person may carry 25 kg at most.',
  },
  {
    id: 'person.phone',
    slots: ['person'],
    nouns: ['the phone number of {person}', 'the extension of {person}', 'the phone extension of {person}'],
    acts: ['reach {person}', 'call {person}', 'get hold of {person}'],
    answer: (s) => `${s.person} is at ${SHOP.phone}, extension ${extensionOf(s.person ?? '')}.`,
    takes: 'Calls are answered within a few minutes.',
    fee: 'You pay only your own phone company.',
    because: 'Each of our people has an extension of their own.',
  },
  {
    id: 'app.version',
    slots: ['version'],
    nouns: ['the changes in version {version} of the app', 'the news in version {version} of the app'],
    questions: ['what changed in version {version} of the app', 'what is new in version {version} of the app'],
    clauses: ['what changed in version {version} of the app', 'what is new in version {version} of the app'],
    answer: (s) => `Version ${s.version} of our app brought ${appChange(s.version ?? '')}.`,
    because: 'We change what customers ask for most.',
  },
];
