import type { IntentSpec } from './intent.js';
import {
  appChange,
  CATEGORIES,
  extensionOf,
  money,
  openingHours,
  orderFacts,
  PRODUCTS,
  productNamed,
  SHOP,
  shippingDays,
  shippingEuro,
  transferEuro,
} from './shop.js';

const stock = (weeks: number): string =>
  weeks === 0 ? 'is in stock and leaves our warehouse tomorrow' : `is sold out and comes back in ${weeks} weeks`;

const list = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** Products of a category in the order in which answers name them. */
export function productsOf(category: string): string[] {
  return PRODUCTS.filter((product) => product.category === category).map((product) => product.name);
}

/** What the shop sells: one fact per product and attribute. */
export const PRODUCT_INTENTS: readonly IntentSpec[] = [
  {
    id: 'product.price',
    slots: ['product', 'currency'],
    defaults: { currency: 'euro' },
    nouns: ['the price of the {product}', 'the price of the {product} in {currency}s'],
    questions: [
      'how much is the {product}',
      'how much does the {product} cost',
      'what does the {product} cost',
      'how much is the {product} in {currency}s',
      'what does the {product} cost in {currency}s',
    ],
    clauses: [
      'how much the {product} costs',
      'what the {product} costs',
      'how much the {product} costs in {currency}s',
    ],
    answer: (s) =>
      `The ${s.product} costs ${money(productNamed(s.product ?? '').priceEuro, s.currency ?? 'euro')}, tax included.`,
    because: 'Prices follow what the workshops charge us, and we keep them for a season.',
    nearMisses: ['product.weight', 'product.warranty'],
  },
  {
    id: 'product.stock',
    slots: ['product'],
    nouns: ['the availability of the {product}'],
    questions: ['is the {product} in stock', 'is the {product} available', 'do you have the {product} in stock'],
    clauses: ['if the {product} is in stock', 'whether the {product} is available', 'if the {product} is available'],
    answer: (s) => `The ${s.product} ${stock(productNamed(s.product ?? '').stockWeeks)}.`,
    offer: {
      id: 'reserve',
      question: 'Shall I put one aside for you?',
      done: (s) => `Done: one ${s.product} is put aside for you for three days.`,
    },
    because: 'Each piece is made in small series.',
    nearMisses: ['product.price'],
  },
  {
    id: 'product.colours',
    slots: ['product'],
    nouns: ['the colours of the {product}'],
    questions: [
      'what colours does the {product} come in',
      'which colours are there for the {product}',
      'what colours is the {product} available in',
    ],
    clauses: ['what colours the {product} comes in', 'which colours the {product} comes in'],
    answer: (s) => `You can have the ${s.product} in ${list(productNamed(s.product ?? '').colours)}.`,
    because: 'We only offer colours that the material takes well.',
    nearMisses: ['product.material'],
  },
  {
    id: 'product.colour',
    slots: ['product', 'colour'],
    questions: [
      'does the {product} come in {colour}',
      'is there a {colour} {product}',
      'can I get the {product} in {colour}',
    ],
    clauses: ['if the {product} comes in {colour}', 'whether I can get the {product} in {colour}'],
    answer: (s) => {
      const { colours } = productNamed(s.product ?? '');
      const has = colours.includes(s.colour ?? '');
      return `${has ? 'Yes' : 'No'}, the ${s.product} ${has ? 'comes' : 'does not come'} in ${s.colour}${has ? '' : `; there is ${list(colours)}`}.`;
    },
    because: 'We only offer colours that the material takes well.',
  },
  {
    id: 'product.warranty',
    slots: ['product'],
    nouns: ['the warranty of the {product}', 'the warranty period of the {product}'],
    questions: ['how long is the warranty on the {product}', 'how long is the warranty for the {product}'],
    clauses: ['how long the warranty on the {product} is', 'how long the warranty for the {product} lasts'],
    answer: (s) => {
      const years = productNamed(s.product ?? '').warrantyYears;
      return `The ${s.product} has a warranty of ${years} year${years === 1 ? '' : 's'} from the day of delivery.`;
    },
    because: 'The period is what the workshop gives us, plus a year from us.',
    nearMisses: ['product.price', 'product.weight'],
  },
  {
    id: 'product.weight',
    slots: ['product'],
    nouns: ['the weight of the {product}'],
    questions: ['how much does the {product} weigh', 'how heavy is the {product}', 'what does the {product} weigh'],
    clauses: ['how much the {product} weighs', 'how heavy the {product} is'],
    answer: (s) => `The ${s.product} weighs ${productNamed(s.product ?? '').weightKg} kg without its box.`,
    because: 'The weight comes from the material that it is made of.',
    nearMisses: ['product.price'],
  },
  {
    id: 'product.material',
    slots: ['product'],
    nouns: ['the material of the {product}'],
    questions: [
      'what is the {product} made of',
      'what material is the {product} made of',
      'which material is the {product} made of',
    ],
    clauses: ['what the {product} is made of', 'what material the {product} is made of'],
    answer: (s) => `The ${s.product} is made of ${productNamed(s.product ?? '').material}.`,
    because: 'We choose materials that can be repaired.',
    nearMisses: ['product.colours'],
  },
  {
    id: 'product.clean',
    slots: ['product'],
    acts: ['clean the {product}', 'take care of the {product}', 'wash the {product}'],
    answer: (s) =>
      `Clean the ${s.product} with ${productNamed(s.product ?? '').care}; anything harsher spoils the surface.`,
    takes: 'Cleaning it takes about ten minutes.',
    fee: 'You need no special product for it.',
    because: 'Harsh cleaners take the finish off.',
    nearMisses: ['product.return'],
  },
  {
    id: 'product.return',
    slots: ['product'],
    acts: ['return the {product}', 'send back the {product}', 'send the {product} back'],
    answer: (s) =>
      `To return the ${s.product}, keep its box, select "Return" in the order and book a pick-up; it is worth ${money(productNamed(s.product ?? '').priceEuro, 'euro')} to you.`,
    takes: 'The pick-up comes within three days.',
    fee: 'The pick-up is free.',
    because: 'The box protects the piece on its way back.',
    nearMisses: ['product.clean'],
  },
  {
    id: 'product.about',
    slots: ['product'],
    nouns: ['the details of the {product}', 'more about the {product}', 'something about the {product}'],
    answer: (s) => {
      const product = productNamed(s.product ?? '');
      return `The ${product.name} is made of ${product.material}, weighs ${product.weightKg} kg and comes in ${list(product.colours)}.`;
    },
    because: 'We describe what can be measured.',
  },
  {
    id: 'product.compare',
    slots: ['product', 'product2'],
    questions: ['is the {product} cheaper than the {product2}', 'does the {product} cost less than the {product2}'],
    clauses: [
      'if the {product} is cheaper than the {product2}',
      'whether the {product} costs less than the {product2}',
    ],
    answer: (s) => {
      const [first, second] = [productNamed(s.product ?? ''), productNamed(s.product2 ?? '')];
      const cheaper = first.priceEuro < second.priceEuro;
      return `${cheaper ? 'Yes' : 'No'}: the ${first.name} costs ${money(first.priceEuro, 'euro')}, the ${second.name} ${money(second.priceEuro, 'euro')}.`;
    },
    because: 'The difference is mostly in the material.',
  },
  {
    id: 'catalogue.list',
    slots: ['category'],
    nouns: ['the list of your {category}', 'an overview of your {category}'],
    questions: ['which {category} do you have', 'what {category} do you sell', 'which {category} do you sell'],
    clauses: ['which {category} you have', 'what {category} you sell'],
    answer: (s) =>
      `We have ${CATEGORIES.includes(s.category ?? '') ? `these ${s.category}` : 'these'}: the ${list(productsOf(s.category ?? ''))}.`,
    because: 'We keep the range small and repair everything in it.',
  },
];

/** Facts about an order number, a day, a country, a person or a version. */
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
