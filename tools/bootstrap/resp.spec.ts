import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask, parseReply, withoutSecret } from './resp.mjs';

const parse = (text: string) => parseReply(Buffer.from(text), 0)?.value;

/** A server that answers every request with the same bytes. */
async function answering(bytes: string | undefined) {
  const got: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (piece) => {
      got.push(piece.toString());
      if (bytes !== undefined) socket.write(bytes);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, got };
}

describe('Redis replies', () => {
  it.each([
    ['+OK\r\n', 'OK'],
    [':42\r\n', 42],
    ['$-1\r\n', null],
    ['*-1\r\n', null],
    ['$5\r\nhällo\r\n'.replace('5', '6'), 'hällo'],
    ['*3\r\n$1\r\na\r\n:1\r\n*1\r\n+b\r\n', ['a', 1, ['b']]],
  ])('are parsed: %j', (text, value) => {
    expect(parse(text)).toEqual(value);
  });

  it.each(['', '$5\r\nhal', '*2\r\n+a\r\n', ':4'])('wait for missing bytes: %j', (text) => {
    expect(parse(text)).toBeUndefined();
  });

  it('turn into errors', async () => {
    const wrong = await answering('-WRONGPASS invalid username-password pair\r\n');
    await expect(ask(`redis://u:p%40ss@127.0.0.1:${wrong.port}`, [['PING']])).rejects.toThrow('WRONGPASS');
    expect(wrong.got.join('')).toContain('AUTH\r\n$1\r\nu\r\n$4\r\np@ss\r\n');
    const web = await answering('HTTP/1.1 400 Bad Request\r\n\r\n');
    await expect(ask(`redis://127.0.0.1:${web.port}`, [['PING']])).rejects.toThrow('not a Redis server');
    const silent = await answering(undefined);
    await expect(ask(`redis://127.0.0.1:${silent.port}`, [['PING']], { timeoutMs: 100 })).rejects.toThrow(
      'no answer within 100 ms',
    );
  });

  it('never show the password of an address', () => {
    expect(withoutSecret('redis://user:secret@host:6379/3')).toBe('redis://host:6379/3');
    expect(withoutSecret('secret that is no address')).toBe('an unreadable address');
  });
});
