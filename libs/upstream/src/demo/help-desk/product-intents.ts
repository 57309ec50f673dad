import type { IntentSpec } from './intent.js';
import { CATEGORIES, money, PRODUCTS, productNamed } from './shop.js';

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
    id: 'catalogue.list',
    slots: ['category'],
    nouns: ['the list of your {category}', 'an overview of your {category}'],
    questions: ['which {category} do you have', 'what {category} do you sell', 'which {category} do you sell'],
    clauses: ['which {category} you have', 'what {category} you sell'],
    answer: (s) =>
      `We have ${CATEGORIES.includes(s.category ?? '') ? `these ${s.category}` : 'these'}: the ${list(productsOf(s.category ?? ''))}.`,
    because: 'We keep the range small and repair everything in it.',
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
];
