import type { Schema, SchemaDefinition, SchemaOptions } from 'redis-om';

/**
 * A separator that no value holds: redis-om indexes strings as tags, and a value with the separator in it would be two.
 * Values that a tag query cannot say exactly are never asked by search (CatalogRepository).
 */
const text = { type: 'string', caseSensitive: true, separator: '\u0001' } as const;
const sortedText = { ...text, sortable: true, normalized: false } as const;
const number = { type: 'number', sortable: true } as const;

export const definitions = {
  tenant: {
    name: sortedText,
    source: text,
    keys: number,
    firstSeenMs: number,
    lastSeenMs: number,
  },
  namespace: {
    name: sortedText,
    tenant: text,
    entries: number,
    activity: number,
    firstSeenMs: number,
    lastSeenMs: number,
    sweptMs: number,
  },
  price: {
    model: sortedText,
    inputPerMTokUsd: number,
    outputPerMTokUsd: number,
    rank: number,
  },
} as const satisfies Readonly<Record<string, SchemaDefinition>>;

export type RecordKind = keyof typeof definitions;

export const recordKinds = Object.keys(definitions) as readonly RecordKind[];

type SchemaConstructor = new (name: string, definition: SchemaDefinition, options: SchemaOptions) => Schema;

/** Keys of records: `{prefix}:<kind>:<id>`; the braces keep all of them on one slot of a Cluster. */
export const schemaOf = (make: SchemaConstructor, prefix: string, kind: RecordKind): Schema =>
  new make(`{${prefix}}:${kind}`, definitions[kind], { dataStructure: 'HASH', useStopWords: 'OFF' });
