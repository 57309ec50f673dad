/** A name as it is compared: case and underscores do not count. */
export const folded = (name: string): string => name.replace(/[_-]/g, '').toLowerCase();

/** Edits (insert, delete, replace, swap of neighbours) between two texts. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/** The known name that is nearest to `name`, if one is near enough to be meant. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = folded(name).slice(0, 64);
  let best: { name: string; distance: number } | undefined;
  for (const candidate of known) {
    const other = folded(candidate);
    const distance = editDistance(wanted, other);
    const prefix = wanted.length >= 3 && (other.startsWith(wanted) || wanted.startsWith(other));
    const near = distance <= Math.max(1, Math.floor(other.length / 3)) || prefix;
    if (near && (!best || distance < best.distance)) best = { name: candidate, distance };
  }
  return best?.name;
}
