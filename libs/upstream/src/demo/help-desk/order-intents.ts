import type { IntentSpec } from './intent.js';
import { money, orderFacts } from './shop.js';

/** What can be asked about one order; an order number is all that tells two of them apart. */
export const ORDER_INTENTS: readonly IntentSpec[] = [
  {
    id: 'order.status',
    slots: ['order'],
    nouns: ['the status of order {order}', 'the current status of order {order}'],
    questions: ['where is order {order}', 'where is my order {order}', 'what is the status of order {order}'],
    clauses: ['where order {order} is', 'where my order {order} is'],
    answer: (s) =>
      `Order ${s.order} ${orderFacts(s.order ?? '').stage}; it travels with ${orderFacts(s.order ?? '').carrier}.`,
    offer: {
      id: 'notify',
      question: 'Would you like a text message at the next step?',
      done: (s) => `Done: you get a text message at the next step of order ${s.order}.`,
    },
    because: 'The carrier scans each parcel only at its own depots.',
    nearMisses: ['order.arrival', 'order.total'],
  },
  {
    id: 'order.arrival',
    slots: ['order'],
    nouns: ['the delivery date of order {order}', 'the arrival date of order {order}'],
    questions: [
      'when will order {order} arrive',
      'when does order {order} arrive',
      'when will my order {order} arrive',
    ],
    clauses: ['when order {order} will arrive', 'when my order {order} arrives'],
    answer: (s) => `Order ${s.order} is due on ${orderFacts(s.order ?? '').arrival}, between 9:00 and 17:00.`,
    because: 'The date is the carrier’s own forecast.',
    nearMisses: ['order.status', 'order.placed'],
  },
  {
    id: 'order.placed',
    slots: ['order'],
    nouns: ['the date order {order} was placed'],
    questions: ['when was order {order} placed', 'when did I place order {order}'],
    clauses: ['when order {order} was placed', 'when I placed order {order}'],
    answer: (s) => `Order ${s.order} was placed on ${orderFacts(s.order ?? '').placed}.`,
    because: 'It is the moment at which the basket was confirmed.',
    nearMisses: ['order.arrival'],
  },
  {
    id: 'order.total',
    slots: ['order'],
    nouns: ['the total of order {order}', 'the total amount of order {order}'],
    questions: ['how much was order {order}', 'how much did order {order} cost', 'what did order {order} cost'],
    clauses: ['how much order {order} cost', 'what order {order} cost'],
    answer: (s) => `Order ${s.order} came to ${money(orderFacts(s.order ?? '').totalEuro, 'euro')}, shipping included.`,
    because: 'The total holds the goods, the tax and the shipping.',
    nearMisses: ['order.status'],
  },
  {
    id: 'order.cancel',
    slots: ['order'],
    acts: ['cancel order {order}', 'cancel my order {order}', 'call off order {order}'],
    answer: (s) =>
      `Open order ${s.order} in your account and select "Cancel"; that works until the parcel goes to ${orderFacts(s.order ?? '').carrier}.`,
    offer: {
      id: 'cancel',
      question: 'Shall I cancel it for you now?',
      done: (s) =>
        `Done: order ${s.order} is cancelled and ${money(orderFacts(s.order ?? '').totalEuro, 'euro')} go back to you.`,
    },
    takes: 'A cancellation takes effect within ten minutes.',
    fee: 'Cancelling is free until the parcel is handed over.',
    because: 'Once the carrier has the parcel we cannot stop it any more.',
    nearMisses: ['order.change', 'order.return'],
  },
  {
    id: 'order.change',
    slots: ['order'],
    acts: ['change order {order}', 'edit order {order}', 'change my order {order}'],
    answer: (s) =>
      `While order ${s.order} is not packed, "Edit" on its page lets you add or drop pieces; it holds the ${orderFacts(s.order ?? '').product.name} now.`,
    takes: 'A change is in force at once.',
    fee: 'Changing an order is free.',
    because: 'A packed box would have to be opened again.',
    nearMisses: ['order.cancel'],
  },
  {
    id: 'order.return',
    slots: ['order'],
    acts: ['return order {order}', 'send back order {order}', 'send order {order} back'],
    answer: (s) =>
      `Take the parcel of order ${s.order} to our shop in ${orderFacts(s.order ?? '').city} or print a label from its page.`,
    takes: 'The money is back a week after the parcel.',
    fee: 'Returning an order is free in the shop; a label costs €2.90.',
    because: 'The shop can check the pieces in front of you.',
    nearMisses: ['order.cancel'],
  },
];
