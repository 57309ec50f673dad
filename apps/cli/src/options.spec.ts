import { describe, expect, it } from 'vitest';
import { UsageError } from './io.js';
import { numberOption, textOption, urlOption, wholeOption } from './options.js';

describe('options', () => {
  it('fall back when they are not given', () => {
    expect(wholeOption({}, 'n', 7, [1, 9])).toBe(7);
    expect(numberOption({}, 'cosine', [0, 1])).toBeUndefined();
    expect(textOption({}, 'key')).toBeUndefined();
    expect(urlOption({}, 'http://127.0.0.1:8080')).toBe('http://127.0.0.1:8080');
  });

  it.each([0, 10, 1.5, 'x', true, [1, 2]])('a whole number out of its range is refused: %j', (n) => {
    expect(() => wholeOption({ n }, 'n', 7, [1, 9])).toThrow(UsageError);
  });

  it.each([-0.1, 1.1, Number.NaN, 'x'])('a number out of its range is refused: %j', (cosine) => {
    expect(() => numberOption({ cosine }, 'cosine', [0, 1])).toThrow(UsageError);
  });

  it('a text that looks like a number is a text', () => {
    expect(textOption({ key: 12 }, 'key')).toBe('12');
    expect(() => textOption({ key: true }, 'key')).toThrow(UsageError);
  });

  it.each(['http://h:1', 'http://h:1/', 'http://h:1/v1', 'http://h:1/v1/'])(
    'the base URL of clients means the gateway: %s',
    (url) => {
      expect(urlOption({ url }, '')).toBe('http://h:1');
    },
  );

  it.each(['h:1', 'ftp://h', 'nonsense'])('something that is no http address is refused: %s', (url) => {
    expect(() => urlOption({ url }, '')).toThrow(UsageError);
  });
});
