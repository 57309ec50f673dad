/** Words of a data file: each line holds words divided by blanks. */
export function readWords(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(/\s+/)).filter((word) => word !== '');
}

/** {@link readWords} as a set. */
export function readWordSet(lines: readonly string[]): ReadonlySet<string> {
  return new Set(readWords(lines));
}
