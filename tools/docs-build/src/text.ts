/** A Markdown table; bars inside cells are escaped, unless they are already. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replace(/(?<!\\)\|/g, '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** The comment under a page's title that names its source. */
export const generatedFrom = (source: string): string => `<!-- generated from ${source}; do not edit -->`;
