import { isObject, type JsonObject } from './captured-answer.js';

/** Fields that a stream repeats rather than continues: the last value counts. */
const REPLACED = new Set(['role', 'id', 'type', 'index', 'name']);

function mergeLists(into: unknown[], more: readonly unknown[]): void {
  for (const item of more) {
    const index = isObject(item) ? item['index'] : undefined;
    const place =
      typeof index === 'number' ? into.findIndex((known) => isObject(known) && known['index'] === index) : -1;
    const known = into[place];
    if (isObject(known) && isObject(item)) mergeDelta(known, item);
    else into.push(structuredClone(item));
  }
}

function mergeField(into: JsonObject, field: string, value: unknown): void {
  const known = into[field];
  if (value === null || value === undefined) {
    if (known === undefined) into[field] = value ?? null;
  } else if (typeof value === 'string' && typeof known === 'string') {
    if (!REPLACED.has(field)) into[field] = known + value;
    else if (value !== '') into[field] = value;
  } else if (Array.isArray(value) && Array.isArray(known)) mergeLists(known, value);
  else if (isObject(value) && isObject(known)) mergeDelta(known, value);
  else if (Array.isArray(value)) {
    const list: unknown[] = [];
    mergeLists(list, value);
    into[field] = list;
  } else into[field] = structuredClone(value);
}

/** Adds a stream's delta to what is known: texts continue, lists with indexes merge by index, objects merge by field. */
export function mergeDelta(into: JsonObject, delta: JsonObject): void {
  for (const [field, value] of Object.entries(delta)) {
    if (field === '__proto__') continue;
    mergeField(into, field, value);
  }
}
