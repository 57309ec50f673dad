/**
 * The form in which text enters keys: composed Unicode (NFC), line feeds only, no blanks at the end
 * (acceptance case 6). Anything else that differs stays different, and a text of blanks alone stays as it is.
 */
export function canonicalText(text: string): string {
  const cut = text.normalize('NFC').replace(/\r\n?/g, '\n').trimEnd();
  return cut === '' ? text : cut;
}

/** True when some string in `value` holds a lone surrogate, which no hash can tell from another. */
export function isIllFormed(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (Array.isArray(value)) return value.some(isIllFormed);
  if (value === null || typeof value !== 'object') return false;
  return Object.entries(value).some(([key, member]) => !key.isWellFormed() || isIllFormed(member));
}

/** True when `value` nests deeper than `limit`; does not recurse, so that depth cannot exhaust the stack. */
export function nestsDeeper(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = [];
    for (const item of level) {
      if (item === null || typeof item !== 'object') continue;
      if (depth >= limit) return true;
      for (const member of Object.values(item)) if (member !== null && typeof member === 'object') next.push(member);
    }
    level = next;
  }
  return false;
}

/** True when some whole number in `value` is beyond what a double holds exactly: two different ones would read alike. */
export function hasInexactNumber(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (value === null || typeof value !== 'object') return false;
  return Object.values(value).some(hasInexactNumber);
}
