/**
 * JSON with sorted object keys and no white space: equal values give equal text.
 * `undefined` members are left out as in JSON.stringify; -0 and 0 are one number.
 * The value must come from JSON.parse (finite depth, no cycles).
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const object = value as Record<string, unknown>;
  const parts: string[] = [];
  for (const key of Object.keys(object).sort()) {
    if (object[key] !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(object[key])}`);
  }
  return `{${parts.join(',')}}`;
}
