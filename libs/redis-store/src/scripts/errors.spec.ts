import { RepriseError } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import { DeadlineError } from '../connection/deadline.js';
import { hasMoved, isNotLoaded, isUnreachable, toRepriseError } from './errors.js';

/** As ioredis makes it from an error reply. */
function replyError(text: string): Error {
  const error = new Error(text);
  error.name = 'ReplyError';
  return error;
}

describe('errors of the store', () => {
  it.each([
    'OOM command not allowed when used memory > maxmemory.',
    'READONLY You can only write against a primary.',
    'LOADING Redis is loading the dataset in memory',
    'CLUSTERDOWN Hash slot not served',
    'MOVED 1234 127.0.0.1:7001',
    'ASK 1234 127.0.0.1:7001',
    'TRYAGAIN Multiple keys request during rehashing of slot',
    "NOPERM User gateway has no permissions to run the 'get' command",
    "ERR ACL failure in script: User gateway has no permissions to run the 'time' command",
    'ERR Script attempted to access a non local key in a cluster node script: rp_x, on @user_function:8.',
  ])('“%s” is a cache that cannot answer now, and no dead server', (text) => {
    expect(toRepriseError(replyError(text)).code).toBe('RP_ERR_CACHE_UNAVAILABLE');
    expect(isUnreachable(replyError(text))).toBe(false);
  });

  it('no answer and no connection are a dead server', () => {
    for (const error of [
      new DeadlineError(40),
      new Error('Connection is closed.'),
      new Error("Stream isn't writeable"),
    ]) {
      expect(isUnreachable(error)).toBe(true);
      expect(toRepriseError(error).code).toBe('RP_ERR_CACHE_UNAVAILABLE');
    }
  });

  it('a policy that is not one is the caller’s fault, in words without a place in a script', () => {
    const error = toRepriseError(
      replyError('RP_ERR_POLICY capacity must be whole. script: rp_policy_write_0_1_ab, on @user_function:9.'),
    );
    expect(error).toMatchObject({ code: 'RP_ERR_BAD_REQUEST', detail: 'capacity must be whole.' });
  });

  it('a broken call is a failure of ours', () => {
    expect(toRepriseError(replyError('RP_ERR_ARGUMENT count must be whole')).code).toBe('RP_ERR_INTERNAL');
    expect(toRepriseError(replyError('ERR unknown')).code).toBe('RP_ERR_INTERNAL');
  });

  it('an error with a code stays itself', () => {
    const error = new RepriseError('RP_ERR_NOT_FOUND');
    expect(toRepriseError(error)).toBe(error);
    expect(isUnreachable(error)).toBe(false);
  });

  it('tells lost functions and moved slots apart', () => {
    expect(isNotLoaded(replyError('ERR Function not found'))).toBe(true);
    expect(isNotLoaded(replyError('NOSCRIPT No matching script. Please use EVAL.'))).toBe(true);
    expect(isNotLoaded(replyError('ERR wrong type'))).toBe(false);
    expect(hasMoved(replyError('MOVED 1 127.0.0.1:1'))).toBe(true);
    expect(hasMoved(replyError('ASK 1 127.0.0.1:1'))).toBe(false);
  });
});
