import { isObject, type JsonObject } from '../capture/captured-answer.js';
import { markEntities, type SlotName } from './help-desk/entities.js';
import { hash32 } from './help-desk/seeded-random.js';

const DEEPEST = 6;

const SLOT_WORDS: readonly [RegExp, SlotName][] = [
  [/order/i, 'order'],
  [/product|item|article/i, 'product'],
  [/day|date/i, 'day'],
  [/countr|destination/i, 'country'],
  [/colou?r/i, 'colour'],
  [/currenc/i, 'currency'],
  [/person|employee|contact/i, 'person'],
  [/version/i, 'version'],
];

function stringFor(name: string, text: string): string {
  const { slots } = markEntities(text);
  for (const [pattern, slot] of SLOT_WORDS) {
    const value = slots[slot];
    if (value !== undefined && pattern.test(name)) return value;
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, 80);
}

function numberFor(name: string, text: string, schema: JsonObject): number {
  const said = /\d+/.exec(text)?.[0];
  const low = typeof schema['minimum'] === 'number' ? schema['minimum'] : 0;
  const high = typeof schema['maximum'] === 'number' ? schema['maximum'] : Math.max(low, Number.MAX_SAFE_INTEGER);
  const value = said === undefined ? hash32(`${name}:${text}`) % 100 : Number(said);
  return Math.min(high, Math.max(low, value));
}

function typeOf(schema: JsonObject): unknown {
  const { type } = schema;
  if (Array.isArray(type)) return (type as unknown[]).find((one) => one !== 'null');
  return type ?? (isObject(schema['properties']) ? 'object' : 'string');
}

/** A value that fits a JSON schema and is drawn from the text: entities where a property is named for one. */
export function valueForSchema(schema: JsonObject, name: string, text: string, depth = 0): unknown {
  if (schema['const'] !== undefined) return schema['const'];
  const choices = schema['enum'];
  if (Array.isArray(choices) && choices.length > 0) return choices[hash32(`${name}:${text}`) % choices.length];
  switch (typeOf(schema)) {
    case 'object': {
      const properties = isObject(schema['properties']) && depth < DEEPEST ? schema['properties'] : {};
      return Object.fromEntries(
        Object.entries(properties).map(([key, inner]) => [
          key,
          valueForSchema(isObject(inner) ? inner : {}, key, text, depth + 1),
        ]),
      );
    }
    case 'array':
      return [valueForSchema(isObject(schema['items']) ? schema['items'] : {}, name, text, depth + 1)];
    case 'integer':
    case 'number':
      return numberFor(name, text, schema);
    case 'boolean':
      return hash32(`${name}:${text}`) % 2 === 0;
    case 'null':
      return null;
    default:
      return stringFor(name, text);
  }
}
