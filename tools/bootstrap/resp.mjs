// The few Redis commands the bootstrap needs, over a plain socket: it runs before any Redis client is installed.
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** @typedef {string | number | null | unknown[]} Reply */

/**
 * A RESP2 reply and the offset after it, or undefined while bytes are missing.
 * @param {Buffer} buf
 * @param {number} at
 * @returns {{ value: Reply | Error, next: number } | undefined}
 */
export function parseReply(buf, at) {
  const end = buf.indexOf('\r\n', at);
  if (end < 0) return undefined;
  const line = buf.toString('utf8', at + 1, end);
  let next = end + 2;
  switch (buf[at]) {
    case 0x2b: // +
      return { value: line, next };
    case 0x2d: // -
      return { value: new Error(line), next };
    case 0x3a: // :
      return { value: Number(line), next };
    case 0x24: {
      // $
      const length = Number(line);
      if (length < 0) return { value: null, next };
      if (buf.length < next + length + 2) return undefined;
      return { value: buf.toString('utf8', next, next + length), next: next + length + 2 };
    }
    case 0x2a: {
      // *
      if (Number(line) < 0) return { value: null, next };
      /** @type {Reply[]} */
      const items = [];
      for (let left = Number(line); left > 0; left--) {
        const item = parseReply(buf, next);
        if (!item) return undefined;
        items.push(item.value instanceof Error ? item.value.message : item.value);
        next = item.next;
      }
      return { value: items, next };
    }
    default:
      return { value: new Error('not a Redis server'), next: buf.length };
  }
}

/** @param {string[]} args */
const encode = (args) => `*${args.length}\r\n${args.map((a) => `$${Buffer.byteLength(a)}\r\n${a}\r\n`).join('')}`;

/** @param {string} url @param {() => void} ready */
function open(url, ready) {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '') || '127.0.0.1';
  const to = { host, port: Number(port || 6379) };
  return protocol === 'rediss:' ? connectTls({ ...to, servername: host }, ready) : connectTcp(to, ready);
}

/**
 * Sends commands on one connection and gives their replies; an error reply throws.
 * @param {string} url redis:// or rediss://, with user and password where needed
 * @param {string[][]} commands
 * @param {{ timeoutMs?: number }} [options]
 * @returns {Promise<Reply[]>}
 */
export function ask(url, commands, { timeoutMs = 2_000 } = {}) {
  const { username, password } = new URL(url);
  const user = username ? [decodeURIComponent(username)] : [];
  const login = password ? [['AUTH', ...user, decodeURIComponent(password)]] : [];
  const all = [...login, ...commands];
  return new Promise((resolve, reject) => {
    const socket = open(url, () => socket.write(all.map(encode).join('')));
    const timer = setTimeout(() => finish(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    /** @type {Reply[]} */
    const replies = [];
    let buf = Buffer.alloc(0);
    /** @param {Error} [error] */
    const finish = (error) => {
      clearTimeout(timer);
      socket.destroy();
      if (error) reject(error);
      else resolve(replies.slice(login.length));
    };
    socket.on('error', finish);
    socket.on('close', () => finish(new Error('the connection was closed')));
    socket.on('data', (/** @type {Buffer} */ piece) => {
      buf = Buffer.concat([buf, piece]);
      let at = 0;
      for (let got = parseReply(buf, at); got; got = parseReply(buf, at)) {
        if (got.value instanceof Error) return finish(got.value);
        replies.push(got.value);
        at = got.next;
        if (replies.length === all.length) return finish();
      }
      buf = buf.subarray(at);
    });
  });
}

/**
 * What a server says of itself.
 * @param {string} url
 * @param {{ timeoutMs?: number }} [options]
 * @returns {Promise<{ version: string, pid: number, loading: boolean }>}
 */
export async function serverInfo(url, options) {
  const [info] = await ask(url, [['INFO', 'everything']], options);
  const field = (/** @type {string} */ name) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(String(info))?.[1] ?? '';
  return { version: field('redis_version'), pid: Number(field('process_id')), loading: field('loading') === '1' };
}

/**
 * A URL without its password, for a message.
 * @param {string} url
 */
export function withoutSecret(url) {
  try {
    const { protocol, host, pathname } = new URL(url);
    return `${protocol}//${host}${pathname}`;
  } catch {
    return 'an unreadable address';
  }
}
