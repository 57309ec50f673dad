import { describe, expect, it } from 'vitest';
import { decodeReply, encodeArgs } from './codec.js';
import type { ScriptSpec } from './script-spec.js';

const spec = {
  name: 'x',
  functionName: 'rp_x',
  sha1: '',
  source: '',
  readOnly: false,
  args: [
    ['id', 'id'],
    ['vector', 'bytes'],
    ['count', 'int'],
    ['share', 'num'],
    ['flag', 'bool'],
    ['tags', 'list'],
    ['others', 'rest'],
  ],
  reply: [
    ['version', 'int', false, []],
    ['policy', 'text', true, []],
    [
      'rows',
      'rows',
      true,
      [
        ['id', 'text'],
        ['score', 'num'],
        ['first', 'bool'],
        ['tags', 'list'],
      ],
    ],
    ['fields', 'map', true, []],
  ],
} as const satisfies ScriptSpec<unknown, unknown>;

describe('arguments', () => {
  it('go in the order of the header, numbers with every digit', () => {
    const args = {
      id: 'e',
      vector: Buffer.from([1, 2]),
      count: 7,
      share: 0.1 + 0.2,
      flag: true,
      tags: ['a"b', 'é'],
      others: ['x', 'y'],
    };
    expect(encodeArgs(spec, args)).toEqual([
      'e',
      Buffer.from([1, 2]),
      '7',
      '0.30000000000000004',
      '1',
      '["a\\"b","é"]',
      'x',
      'y',
    ]);
  });

  it('are never Buffers when there are no bytes, and never hold half a character', () => {
    const args = { id: '', vector: Buffer.alloc(0), count: 0, share: 0, flag: false, tags: ['\ud800'], others: [] };
    expect(encodeArgs(spec, args)).toEqual(['', '', '0', '0', '0', '["\ufffd"]']);
  });
});

describe('replies', () => {
  it('get their types back', () => {
    const raw = [1, 3, 'text', [['e', '0.30000000000000004', 1, ['t']]], ['name', 'value', 'other', '2']];
    expect(decodeReply(spec, raw)).toEqual({
      status: 'hit',
      version: 3,
      policy: 'text',
      rows: [{ id: 'e', score: 0.1 + 0.2, first: true, tags: ['t'] }],
      fields: { name: 'value', other: '2' },
    });
  });

  it('leave out what is absent, at the end or in between', () => {
    expect(decodeReply(spec, [2, 0])).toEqual({ status: 'miss', version: 0 });
    expect(decodeReply(spec, [2, 0, null, []])).toEqual({ status: 'miss', version: 0, rows: [] });
    const evicted = { ...spec, reply: [['evicted', 'list', false, []]] } as const;
    expect(decodeReply(evicted, [2, null])).toEqual({ status: 'miss', evicted: [] });
    expect(decodeReply(spec, [2, 0, ''])).toEqual({ status: 'miss', version: 0, policy: '' });
  });
});
