import { hash32, pickBy } from './seeded-random.js';

/** The invented shop that the help desk works for. */
export const SHOP = { name: 'Tidewick', site: 'tidewick.example', phone: '+00 555 0142' } as const;

export interface Product {
  name: string;
  category: string;
  priceEuro: number;
  colours: readonly string[];
  weightKg: number;
  material: string;
  warrantyYears: number;
  stockWeeks: number;
  care: string;
}

type Row = [string, string, number, string, number, string, number, number, string];

const ROWS: readonly Row[] = [
  ['Lumo desk lamp', 'lamps', 49, 'black,sand,green', 1.4, 'powder-coated steel', 3, 0, 'a dry microfibre cloth'],
  ['Vesper floor lamp', 'lamps', 129, 'black,white', 5.2, 'oak and linen', 3, 2, 'a soft brush'],
  ['Halden wall lamp', 'lamps', 74, 'white,brass', 0.9, 'brass', 5, 0, 'a damp cloth without soap'],
  [
    'Kessa kettle',
    'kettles',
    59,
    'red,white,black',
    1.1,
    'enamelled steel',
    2,
    0,
    'two spoons of citric acid in water',
  ],
  ['Brumm kettle', 'kettles', 39, 'black,blue', 0.9, 'stainless steel', 2, 1, 'warm water and vinegar'],
  ['Sorrel kettle', 'kettles', 84, 'green,sand', 1.3, 'copper', 4, 3, 'a lemon half and fine salt'],
  ['Orvo chair', 'chairs', 159, 'sand,grey', 6.8, 'ash wood', 5, 0, 'a damp cotton cloth'],
  ['Stilla chair', 'chairs', 119, 'white,blue,grey', 5.1, 'birch plywood', 5, 4, 'mild soap and water'],
  [
    'Marek armchair',
    'chairs',
    349,
    'green,grey',
    14.5,
    'beech and wool',
    6,
    6,
    'the upholstery nozzle of a vacuum cleaner',
  ],
  ['Fjell blanket', 'blankets', 89, 'grey,red,sand', 1.6, 'lambswool', 1, 0, 'a cold hand wash'],
  ['Tarn blanket', 'blankets', 64, 'blue,green', 1.2, 'recycled cotton', 1, 0, 'a gentle wash at 30 degrees'],
  ['Moss blanket', 'blankets', 109, 'green,brown', 1.9, 'alpaca', 2, 2, 'airing it on a dry day'],
  ['Brisa fan', 'fans', 69, 'white,black', 2.7, 'aluminium', 2, 0, 'a brush once the grille is off'],
  ['Zefir fan', 'fans', 99, 'white,sand', 3.4, 'bamboo and steel', 3, 1, 'a dry cloth with the plug pulled'],
  ['Solla mirror', 'mirrors', 139, 'brass,black', 4.3, 'float glass', 10, 0, 'a squeegee and distilled water'],
  ['Pella mirror', 'mirrors', 94, 'white,brown', 3.1, 'float glass and pine', 10, 5, 'glass cleaner on a cloth'],
];

export const PRODUCTS: readonly Product[] = ROWS.map((row) => ({
  name: row[0],
  category: row[1],
  priceEuro: row[2],
  colours: row[3].split(','),
  weightKg: row[4],
  material: row[5],
  warrantyYears: row[6],
  stockWeeks: row[7],
  care: row[8],
}));

export const CATEGORIES: readonly string[] = [...new Set(PRODUCTS.map((product) => product.category))];
export const COLOURS: readonly string[] = [...new Set(PRODUCTS.flatMap((product) => product.colours))].sort();

export function productNamed(name: string): Product {
  const product = PRODUCTS.find((candidate) => candidate.name === name);
  if (product === undefined) throw new RangeError(`no such product: ${name}`);
  return product;
}

export const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
export const DATES = [
  '24 December',
  '26 December',
  '31 December',
  '1 January',
  '1 May',
  '17 May',
  '15 August',
] as const;
export const COUNTRIES = [
  'Norway',
  'Sweden',
  'Denmark',
  'Finland',
  'Portugal',
  'Spain',
  'Italy',
  'Austria',
  'Poland',
  'Ireland',
  'Greece',
  'Estonia',
] as const;
export const BRANCHES = ['Arvik', 'Brenholt', 'Castelo', 'Dunmere'] as const;
export const PEOPLE = ['Nora Vestby', 'Tomas Albrecht', 'Ines Carvalho', 'Pavel Horak', 'Aoife Brannan'] as const;
export const VERSIONS = ['2.0', '2.1', '2.2', '3.0', '3.1'] as const;
export const CURRENCIES = ['euro', 'dollar', 'pound'] as const;

const RATE: Record<string, number> = { euro: 1, dollar: 1.12, pound: 0.86 };
const SIGN: Record<string, string> = { euro: '€', dollar: '$', pound: '£' };

/** A price in euros written in one of the shop's currencies. */
export function money(euro: number, currency: string): string {
  return `${SIGN[currency] ?? '€'}${(euro * (RATE[currency] ?? 1)).toFixed(2)}`;
}

export interface OrderFacts {
  stage: string;
  arrival: string;
  placed: string;
  carrier: string;
  totalEuro: number;
  product: Product;
  city: string;
}

const STAGES = [
  'is being packed at our warehouse',
  'has left our warehouse and is with the carrier',
  'is waiting at the customs office',
  'is out for delivery today',
  'was delivered and signed for',
  'is held back because the payment is still open',
];
const MONTHS = ['March', 'April', 'May', 'June'];

/** What the shop's books say about an order number; every number has an order. */
export function orderFacts(order: string): OrderFacts {
  const day = 1 + (hash32(`arrival:${order}`) % 27);
  const month = hash32(`month:${order}`) % 3;
  return {
    stage: pickBy(STAGES, `stage:${order}`),
    arrival: `${day} ${MONTHS[month + 1] ?? 'June'}`,
    placed: `${1 + (hash32(`placed:${order}`) % 27)} ${MONTHS[month] ?? 'March'}`,
    carrier: pickBy(['Postvogn', 'Blue Heron Couriers', 'Parcelline', 'Northbound Freight'], `carrier:${order}`),
    totalEuro: 20 + (hash32(`total:${order}`) % 48_000) / 100,
    product: pickBy(PRODUCTS, `product:${order}`),
    city: pickBy(BRANCHES, `city:${order}`),
  };
}

/** Opening hours of the shops on a weekday or a date. */
export function openingHours(day: string): string {
  if (day === 'Sunday' || day === '1 January' || day === '26 December') return 'our shops are closed all day';
  if (day === 'Saturday') return 'our shops are open from 10:00 to 16:00';
  if (DATES.some((date) => date === day)) {
    const close = 12 + (hash32(`hours:${day}`) % 5);
    return `our shops are open from 10:00 to ${close}:30 only`;
  }
  const late =
    day === 'Thursday' || day === 'Friday' ? '20:00' : `18:${hash32(`hours:${day}`) % 2 === 0 ? '00' : '30'}`;
  return `our shops are open from 9:00 to ${late}`;
}

export function shippingEuro(country: string): number {
  return 4.5 + (hash32(`ship:${country}`) % 24) * 0.5;
}

export function shippingDays(country: string): number {
  return 2 + (hash32(`days:${country}`) % 9);
}

/** Price of moving a parcel between two branches; the two directions differ. */
export function transferEuro(from: string, to: string): number {
  return 3 + (hash32(`move:${from}>${to}`) % 30) * 0.5;
}

export function extensionOf(person: string): number {
  return 2_000 + (hash32(`ext:${person}`) % 7_000);
}

const CHANGES = [
  'a dark theme and larger buttons',
  'parcel tracking on the start page',
  'sign-in by fingerprint',
  'a wish list that can be shared',
  'faster search and fewer pop-ups',
];

export function appChange(version: string): string {
  const place = VERSIONS.findIndex((known) => known === version);
  return CHANGES[place < 0 ? hash32(version) % CHANGES.length : place] ?? 'small repairs';
}
