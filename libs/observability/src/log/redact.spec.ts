import { describe, expect, it } from 'vitest';
import { redact, scrub } from './redact.js';

const SECRET_TEXT = 'my blood sugar was 180 this morning';

/** The error that an operation throws. */
function thrown(operation: () => unknown): unknown {
  try {
    operation();
  } catch (error) {
    return error;
  }
  throw new Error('did not throw');
}

describe('redact: text of callers', () => {
  it.each([
    'prompt',
    'messages',
    'content',
    'text',
    'answer',
    'input',
    'output',
    'body',
    'system',
    'note',
    'Prompt',
    'query',
  ])('a field %s is never written', (name) => {
    expect(JSON.stringify(redact({ [name]: SECRET_TEXT, deep: { [name]: [SECRET_TEXT] } }))).not.toContain('sugar');
  });

  it.each([
    ['JSON.parse of a body', () => JSON.parse(`{"content": ${SECRET_TEXT}`) as unknown],
    ['JSON.parse of a text', () => JSON.parse(SECRET_TEXT) as unknown],
    [
      'an error that quotes',
      () => {
        throw new Error(`cannot read "${SECRET_TEXT}"`);
      },
    ],
    [
      'an error whose cause quotes',
      () => {
        throw new Error('outer', { cause: new SyntaxError(SECRET_TEXT) });
      },
    ],
    [
      'a template in a message',
      () => {
        throw new TypeError(`\`${SECRET_TEXT}\` is not a function`);
      },
    ],
  ])('%s', (_name, operation) => {
    expect(JSON.stringify(redact({ error: thrown(operation) }))).not.toContain('sugar');
  });

  it('vectors and bytes are not written', () => {
    expect(redact({ a: new Float32Array([0.1, 0.2]), b: Buffer.from(SECRET_TEXT) })).toEqual({
      a: '[redacted]',
      b: '[redacted]',
    });
  });
});

describe('redact: keys', () => {
  it.each([
    ['Bearer sk-abc123def456', 'abc123'],
    ['authorization: Bearer eyJhbGciOi.J9', 'eyJhbGci'],
    ['Basic dXNlcjpwYXNz', 'dXNlcjpw'],
    ['sk-proj-Ab12Cd34Ef56', 'Ab12'],
    ['redis://user:hunter2@host:6379', 'hunter2'],
    ['rediss://:hunter2@host', 'hunter2'],
    ['https://user:hunter2@api.example/v1?x=1', 'hunter2'],
    ['failed with key_1234567890', '1234567890'],
  ])('%s', (text, secret) => {
    expect(scrub(text)).not.toContain(secret);
    expect(JSON.stringify(redact({ url: text, list: [text], error: new Error(text) }))).not.toContain(secret);
  });

  it.each(['apiKey', 'authorization', 'password', 'token', 'secret', 'headers', 'cookie', 'x-api-key', 'API_KEY'])(
    'a field %s is never written',
    (name) => {
      expect(redact({ [name]: 'anything' })).toEqual({ [name]: '[redacted]' });
    },
  );
});

describe('redact: what stays', () => {
  it.each([
    [{ requestId: 'r-1', ns: 'acme', status: 200, cached: true, none: null }],
    [{ url: 'redis://127.0.0.1:6379/0', reason: 'ECONNREFUSED' }],
    [{ promptTokens: 12, completionTokens: 3, tokensSaved: 4 }],
    [{ keys: 3, listed: ['a', 'b'] }],
  ])('%j', (fields) => {
    expect(redact(fields)).toEqual(fields);
  });

  it('an error keeps name, code, message and frames', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), { code: 'ECONNREFUSED' });
    expect(redact({ error })).toEqual({
      error: {
        name: 'Error',
        code: 'ECONNREFUSED',
        message: 'connect ECONNREFUSED 127.0.0.1:6379',
        stack: expect.arrayContaining([expect.stringMatching(/^at /)]) as unknown,
      },
    });
  });

  it('is bounded in depth, length and members', () => {
    let deep: unknown = 'end';
    for (let i = 0; i < 50; i += 1) deep = { deep };
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i]));
    expect(JSON.stringify(redact({ deep, wide, long: 'a b '.repeat(10_000) })).length).toBeLessThan(3_000);
  });
});
