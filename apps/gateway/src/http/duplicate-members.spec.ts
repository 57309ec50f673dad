import { describe, expect, it } from 'vitest';
import { standsTwice } from './duplicate-members.js';

const twice = (text: string): boolean => standsTwice(Buffer.from(text), JSON.parse(text));

describe('a member that stands twice', () => {
  it.each([
    '{"a":1,"a":1}',
    '{"a":1,"b":{"c":[{"d":1,"d":2}]}}',
    '{"\\u0061":1,"a":2}',
    '{"__proto__":1,"__proto__":2}',
    '[{"a":1,"":2,"":3}]',
    '{"a\\\\":1,"a\\\\":2}',
  ])('is seen in %s', (text) => {
    expect(twice(text)).toBe(true);
  });

  it.each([
    'null',
    '"a:b"',
    '{}',
    '[]',
    '{"a":1,"b":1}',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"\\"a\\":1,\\"a\\":2"}',
    '{"\\\\":":","\\"":"\\\\"}',
    '{"__proto__":{"toString":1},"constructor":2}',
    ' { "a" : "b:c" , "B:" : [ ":" ] } ',
    '{"äö:":"日本:"}',
  ])('is not seen in %s', (text) => {
    expect(twice(text)).toBe(false);
  });

  it('is looked for without recursion', () => {
    expect(twice(`${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}`)).toBe(false);
  });
});
