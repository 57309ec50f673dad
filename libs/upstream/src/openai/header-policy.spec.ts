import { describe, expect, it } from 'vitest';
import { forwardRequestHeaders, isReadableEncoding, stripHopByHop } from './header-policy.js';
import { joinUpstreamPath } from './join-path.js';

describe('headers', () => {
  it('drops what belongs to the connection, also what it names', () => {
    const headers = {
      Connection: ['close', 'X-One , x-two'],
      'x-one': '1',
      'X-Two': '2',
      'x-three': '3',
      Upgrade: 'h2c',
    };
    expect(stripHopByHop(headers)).toEqual({ 'x-three': '3' });
  });

  it('asks for readable bytes only when they are captured', () => {
    const headers = { 'accept-encoding': 'gzip, br', 'content-length': '5' };
    const proxy = forwardRequestHeaders(headers, { capture: false, bufferedBody: false });
    const capture = forwardRequestHeaders(headers, { capture: true, bufferedBody: true });
    expect(proxy).toEqual(headers);
    expect(capture).toEqual({ 'accept-encoding': 'identity' });
  });

  it.each([
    [{}, true],
    [{ 'content-encoding': 'identity' }, true],
    [{ 'content-encoding': 'gzip' }, false],
    [{ 'content-encoding': ['identity', 'br'] }, false],
  ])('knows whether %j can be read', (headers, readable) => {
    expect(isReadableEncoding(headers)).toBe(readable);
  });
});

describe('joinUpstreamPath', () => {
  it.each([
    ['http://h', '/v1/models', '/v1/models'],
    ['http://h/', '/v1/models?x=1', '/v1/models?x=1'],
    ['http://h/v1', '/v1/models', '/v1/models'],
    ['http://h/v1/', '/v1/chat/completions', '/v1/chat/completions'],
    ['http://h/api/v1', '/v1/models', '/api/v1/models'],
    ['http://h/deploy/x?api-version=3', '/v1/chat/completions?y=1', '/deploy/x/chat/completions?y=1&api-version=3'],
    ['http://h/v2', '/v1beta/models', '/v2/v1beta/models'],
  ])('%s and %s give %s', (base, path, joined) => {
    expect(joinUpstreamPath(new URL(base), path)).toBe(joined);
  });
});
