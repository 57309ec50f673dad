import { describe, expect, it } from 'vitest';
import { percent, table } from './table.js';

describe('a table', () => {
  it('sets text to the left and numbers to the right, without blanks at the end of lines', () => {
    expect(
      table(
        ['kind', 'n'],
        [
          ['miss', '7'],
          ['hit-exact', '12'],
        ],
        ['left', 'right'],
      ),
    ).toBe('kind        n\n─────────  ──\nmiss        7\nhit-exact  12\n');
  });

  it('without rows has its head', () => {
    expect(table(['a', 'b'], [], ['left', 'left'])).toBe('a  b\n─  ─\n');
  });

  it('a row may be short', () => {
    expect(table(['a', 'b'], [['x']], ['left', 'right'])).toContain('\nx\n');
  });
});

describe('a share', () => {
  it('has two digits, and none of nothing', () => {
    expect(percent(1, 3)).toBe('33.33 %');
    expect(percent(0, 0)).toBe('–');
  });
});
