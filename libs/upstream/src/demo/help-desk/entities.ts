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

export type SlotName =
  | 'order'
  | 'product'
  | 'product2'
  | 'category'
  | 'colour'
  | 'currency'
  | 'day'
  | 'country'
  | 'from'
  | 'to'
  | 'person'
  | 'version'
  | 'weight'
  | 'rank';

export type Slots = Partial<Record<SlotName, string>>;

export interface MarkedText {
  /** Lower-case text in which every entity is replaced by its slot in braces. */
  text: string;
  slots: Slots;
}

type Finder = { slot: SlotName; pattern: RegExp; value: (match: RegExpExecArray) => string };

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const oneOf = (names: readonly string[]): string => names.map((name) => escaped(name.toLowerCase())).join('|');

function named(list: readonly string[]): (match: RegExpExecArray) => string {
  return (match) => list.find((name) => name.toLowerCase() === match[1]) ?? match[1] ?? '';
}

const MONTH_DAYS = DATES.map((date) => {
  const [day = '', month = ''] = date.toLowerCase().split(' ');
  return { date, pattern: `${day}(?:st|nd|rd|th)?(?: of)? ${month}|${month} ${day}(?:st|nd|rd|th)?` };
});

const RANKS = ['first', 'second', 'third'];

/** A product may be called by its first name alone ("the Lumo") or with any of the words after it. */
const PRODUCT_PATTERN = PRODUCTS.map((product) => {
  const [first = '', ...rest] = product.name.toLowerCase().split(' ');
  return `${first}${rest.map((word) => `(?: ${word})?`).join('')}`;
}).join('|');

function productFor(mention: string): string {
  const first = mention.split(' ')[0] ?? '';
  return PRODUCTS.find((product) => product.name.toLowerCase().split(' ')[0] === first)?.name ?? mention;
}

const FINDERS: readonly Finder[] = [
  { slot: 'product', pattern: new RegExp(`\\b(${PRODUCT_PATTERN})\\b`, 'g'), value: (m) => productFor(m[1] ?? '') },
  ...MONTH_DAYS.map(({ date, pattern }): Finder => ({
    slot: 'day',
    pattern: new RegExp(`\\b(?:on )?(?:the )?(${pattern})\\b`, 'g'),
    value: () => date,
  })),
  { slot: 'day', pattern: new RegExp(`\\b(?:on )?(?:an? )?(${oneOf(DAYS)})s?\\b`, 'g'), value: named(DAYS) },
  {
    slot: 'from',
    pattern: new RegExp(`\\bfrom (?:the |our |your )?(${oneOf(BRANCHES)})\\b`, 'g'),
    value: named(BRANCHES),
  },
  { slot: 'to', pattern: new RegExp(`\\bto (?:the |our |your )?(${oneOf(BRANCHES)})\\b`, 'g'), value: named(BRANCHES) },
  { slot: 'person', pattern: new RegExp(`\\b(${oneOf(PEOPLE)})(?:'s)?\\b`, 'g'), value: named(PEOPLE) },
  {
    slot: 'country',
    pattern: new RegExp(`\\b(?:to |in |for )?(${oneOf(COUNTRIES)})\\b`, 'g'),
    value: named(COUNTRIES),
  },
  {
    slot: 'version',
    pattern: new RegExp(`\\b(?:version |v)?(${oneOf(VERSIONS)})(?![.\\d]*\\d| ?kg)`, 'g'),
    value: named(VERSIONS),
  },
  {
    slot: 'weight',
    pattern: /\b(\d{1,3}) ?(kg|kilos?|kilograms?|lb|lbs|pounds?)\b/g,
    value: (m) => `${m[1]} ${/^k/.test(m[2] ?? '') ? 'kg' : 'lb'}`,
  },
  { slot: 'order', pattern: /(?:\b(?:number|no\.?) |#)?\b(\d{4,6})\b/g, value: (m) => m[1] ?? '' },
  { slot: 'currency', pattern: new RegExp(`\\bin (?:us )?(${oneOf(CURRENCIES)})s?\\b`, 'g'), value: named(CURRENCIES) },
  { slot: 'colour', pattern: new RegExp(`\\b(?:in )?(${oneOf(COLOURS)})\\b`, 'g'), value: named(COLOURS) },
  { slot: 'category', pattern: new RegExp(`\\b(${oneOf(CATEGORIES)})\\b`, 'g'), value: named(CATEGORIES) },
  { slot: 'rank', pattern: new RegExp(`\\b(${oneOf(RANKS)}) one\\b`, 'g'), value: (m) => m[1] ?? '' },
];

/** Place of an ordinal in a list, from 0. */
export function rankIndex(rank: string | undefined): number {
  return RANKS.indexOf(rank ?? '');
}

const CONTRACTIONS: readonly [RegExp, string][] = [
  [/[\u2018\u2019\u02bc]/g, "'"],
  [/\bcan't\b/g, 'can not'],
  [/\bcannot\b/g, 'can not'],
  [/\bwon't\b/g, 'will not'],
  [/n't\b/g, ' not'],
  [/\b(what|where|who|when|how|that|it|there|here)'s\b/g, '$1 is'],
  [/\bi'd\b/g, 'i would'],
  [/\bi'm\b/g, 'i am'],
  [/\bi'll\b/g, 'i will'],
  [/\bi've\b/g, 'i have'],
  [/\b(\p{L}+)'re\b/gu, '$1 are'],
];

/** Folds case, form and contractions, so that only words remain to be compared. */
export function foldText(text: string): string {
  let folded = text.normalize('NFKC').toLowerCase();
  for (const [pattern, to] of CONTRACTIONS) folded = folded.replace(pattern, to);
  return folded.replace(/\s+/g, ' ').trim();
}

/** Finds the shop's entities; a second product goes to `product2`, any other second entity of a kind stays as text. */
export function markEntities(text: string): MarkedText {
  let marked = foldText(text);
  const slots: Slots = {};
  for (const finder of FINDERS) {
    marked = marked.replace(finder.pattern, (...found: unknown[]) => {
      const match = found.slice(0, -2) as unknown as RegExpExecArray;
      const whole = String(found[0]);
      const value = finder.value(match);
      if (slots[finder.slot] === undefined) {
        slots[finder.slot] = value;
        return ` {${finder.slot}} `;
      }
      if (finder.slot === 'product' && slots.product2 === undefined) {
        slots.product2 = value;
        return ' {product2} ';
      }
      return whole;
    });
  }
  return { text: marked.replace(/\s+/g, ' ').trim(), slots };
}
