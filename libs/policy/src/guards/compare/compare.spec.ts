import { describe, expect, it } from 'vitest';
import { compareFingerprints, decodeFingerprint, encodeFingerprint, isReferring, parseFingerprint } from '../index.js';

const decide = (a: string, b: string, cosine = 0.99) =>
  compareFingerprints(parseFingerprint(a), parseFingerprint(b), cosine);

describe('compareFingerprints', () => {
  it.each([
    ['What is the capital of France?', 'what is  the capital of France', 'equal'],
    ['How do I turn it on?', 'How do I not turn it on?', 'negation'],
    ['How do I install Python 3.11?', 'How do I install Python 3.12?', 'number'],
    ['What is the capital of France?', 'What is the capital of Spain?', 'name'],
    ['Как сбросить пароль?', 'Как изменить пароль?', 'language'],
    ['What is `a = b` in Python?', 'What is `a == b` in Python?', 'code'],
  ])('%s / %s: %s', (a, b, reason) => {
    expect(decide(a, b)).toMatchObject({ serve: reason === 'equal', reason });
    expect(decide(b, a)).toEqual(decide(a, b));
  });

  it('refuses below the least cosine', () => {
    expect(decide('How do I reset my password?', 'How can I reset my password?', 0.1).reason).toBe('cosine');
    expect(decide('How do I reset my password?', 'How can I reset my password?', Number.NaN).serve).toBe(false);
  });

  it('refuses empty texts', () => {
    expect(decide('', '').serve).toBe(false);
    expect(decide('?!', ' ').serve).toBe(false);
  });
});

describe('encodeFingerprint', () => {
  it('gives the fingerprint back', () => {
    const fp = parseFingerprint('How do I install Python 3.11 on "my box"?');
    expect(decodeFingerprint(encodeFingerprint(fp))).toEqual(fp);
  });

  it('refuses garbage and other versions', () => {
    const stored = encodeFingerprint(parseFingerprint('How do I install Python?'));
    expect(decodeFingerprint('')).toBeUndefined();
    expect(decodeFingerprint('[1,2]')).toBeUndefined();
    expect(decodeFingerprint(stored.replace('[1', '[999'))).toBeUndefined();
  });
});

describe('isReferring', () => {
  it.each(['yes', 'Continue.', 'how much is it?', 'weiter', '继续'])('%s', (text) =>
    expect(isReferring(text)).toBe(true),
  );
  it.each(['How do I reset my password?', 'What is the capital of France?'])('%s is not', (text) =>
    expect(isReferring(text)).toBe(false),
  );
});
