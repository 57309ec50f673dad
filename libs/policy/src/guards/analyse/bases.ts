/** Whether two words may be forms of one: they share a base form. */
export function sharesBase(a: readonly string[], b: readonly string[]): boolean {
  return a.some((base) => b.includes(base));
}
