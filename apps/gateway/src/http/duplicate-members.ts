const quote = 0x22;
const colon = 0x3a;
const backslash = 0x5c;

/**
 * Whether an object of the JSON text `bytes` names a member twice. `parsed` is its value, which holds the last one only:
 * the text then has more members than the value. Outside of strings every colon belongs to one member.
 */
export function standsTwice(bytes: Buffer, parsed: unknown): boolean {
  return colonsOutsideStrings(bytes) !== membersIn(parsed);
}

function colonsOutsideStrings(bytes: Buffer): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === colon) count++;
    else if (byte === quote) at = endOfString(bytes, at);
  }
  return count;
}

function endOfString(bytes: Buffer, start: number): number {
  let end = bytes.indexOf(quote, start + 1);
  while (end > 0 && isEscaped(bytes, end)) end = bytes.indexOf(quote, end + 1);
  return end < 0 ? bytes.length : end;
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let before = at - 1;
  while (bytes[before] === backslash) before--;
  return (at - before) % 2 === 0;
}

/** Members of all objects in a value; does not recurse, so that depth cannot exhaust the stack. */
function membersIn(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const item = open.pop();
    if (item === null || typeof item !== 'object') continue;
    const inside: unknown[] = Array.isArray(item) ? item : Object.values(item);
    if (inside !== item) count += inside.length;
    for (const member of inside) if (member !== null && typeof member === 'object') open.push(member);
  }
  return count;
}
