import { describe, expect, it } from 'vitest';
import { replaceBlock } from './marked-block.js';

const page = 'a\n<!-- x:begin (note) -->\nold\n<!-- x:end -->\nb\n';

describe('a generated block', () => {
  it('is replaced and nothing else is', () => {
    expect(replaceBlock(page, 'x', 'new')).toBe('a\n<!-- x:begin (note) -->\n\nnew\n\n<!-- x:end -->\nb\n');
  });

  it('comes out the same when it is made again', () => {
    const once = replaceBlock(page, 'x', 'new');
    expect(replaceBlock(once, 'x', 'new')).toBe(once);
  });

  it('may hold signs that mean something to a replacement', () => {
    expect(replaceBlock(page, 'x', '$& $1 $$')).toContain('$& $1 $$');
  });

  it.each([['no marks'], [page + page], ['<!-- x:end -->\n<!-- x:begin -->']])(
    'must have its marks once, in order: %j',
    (text) => {
      expect(() => replaceBlock(text, 'x', 'new')).toThrow(/x:begin/);
    },
  );
});
