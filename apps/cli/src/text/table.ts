/** A cell: text is set to the left, numbers are given as text that is set to the right. */
export type Align = 'left' | 'right';

/** Width on a terminal; combining marks and wide characters are not looked for, since our own texts have none. */
const width = (text: string): number => [...text].length;

/** Rows under a head in columns of equal width, two blanks apart; every line ends with a line feed. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], aligns: readonly Align[]): string {
  const widths = head.map((title, at) => Math.max(width(title), ...rows.map((row) => width(row[at] ?? ''))));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => {
        const blanks = ' '.repeat(Math.max(0, (widths[at] ?? 0) - width(cell)));
        return aligns[at] === 'right' ? blanks + cell : cell + blanks;
      })
      .join('  ')
      .trimEnd();
  const rule = widths.map((size) => '─'.repeat(size)).join('  ');
  return [line(head), rule, ...rows.map(line)].map((text) => `${text}\n`).join('');
}

/** A share in per cent with two digits, or a dash where there is nothing to divide by. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(2)} %`;
}
