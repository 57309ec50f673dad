import { describe, expect, it } from 'vitest';
import { yamlText } from './yaml.js';

describe('YAML', () => {
  it('shows objects, lists and scalars', () => {
    expect(yamlText({ a: { b: 1, c: [1, 'x'] }, d: [], e: {}, f: [{ g: 1, h: { i: true } }], j: null })).toBe(
      'a:\n  b: 1\n  c: [1, x]\nd: []\ne: {}\nf:\n  - g: 1\n    h:\n      i: true\nj: null\n',
    );
  });

  it.each(['on', 'No', 'null', '1', '', 'a: b', '# x', '"', "it's", '- x', 'a\nb'])(
    'quotes a text that YAML would read otherwise: %j',
    (text) => {
      expect(yamlText({ a: text })).toBe(`a: ${JSON.stringify(text)}\n`);
    },
  );

  it('leaves out what is undefined', () => {
    expect(yamlText({ a: undefined, b: 1 })).toBe('b: 1\n');
  });
});
