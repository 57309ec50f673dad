/** The names whose turn it is, in name order, each once per round of ⌈names / limit⌉ runs; follows from the clock alone. */
export function turnOf(
  all: readonly string[],
  nowMs: number,
  { everyMs, namespaces }: { readonly everyMs: number; readonly namespaces: number },
): readonly string[] {
  const sorted = [...all].sort();
  if (sorted.length <= namespaces) return sorted;
  const turns = Math.ceil(sorted.length / namespaces);
  const turn = Math.floor(nowMs / everyMs) % turns;
  return sorted.slice(turn * namespaces, (turn + 1) * namespaces);
}
