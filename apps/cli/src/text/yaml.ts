const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Plain words stand as they are; anything else in JSON's quotes, which YAML reads too. */
const PLAIN = /^[A-Za-z_][A-Za-z0-9_./@-]*$/;
/** Words that YAML would not read as text. */
const NOT_TEXT = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

function scalar(value: unknown): string {
  if (typeof value === 'string' && PLAIN.test(value) && !NOT_TEXT.test(value)) return value;
  return JSON.stringify(value) ?? 'null';
}

function lines(value: unknown, indent: string): string[] {
  if (Array.isArray(value)) return value.flatMap((member: unknown) => item(member, indent));
  if (!isObject(value)) return [`${indent}${scalar(value)}`];
  return Object.entries(value).flatMap(([key, member]) => {
    const name = `${indent}${scalar(key)}:`;
    if (Array.isArray(member) && member.every((part) => !isObject(part)))
      return [`${name} [${member.map(scalar).join(', ')}]`];
    if (isObject(member) && Object.keys(member).length === 0) return [`${name} {}`];
    if (isObject(member) || Array.isArray(member)) return [name, ...lines(member, `${indent}  `)];
    return [`${name} ${scalar(member)}`];
  });
}

function item(member: unknown, indent: string): string[] {
  const [first = '', ...rest] = lines(member, `${indent}  `);
  return [`${indent}- ${first.trimStart()}`, ...rest];
}

/** Plain data as YAML; members that are undefined are left out. */
export function yamlText(value: unknown): string {
  return `${lines(JSON.parse(JSON.stringify(value)), '').join('\n')}\n`;
}
