// Loopback ports.
import { createServer } from 'node:net';

/**
 * Whether a port can be listened on, on loopback and on all addresses.
 * @param {number} port
 */
export async function isFree(port) {
  for (const host of ['127.0.0.1', '0.0.0.0']) if ((await listenOnce(port, host)) === undefined) return false;
  return true;
}

/** A port nothing listens on just now. @returns {Promise<number>} */
export async function freePort() {
  const port = await listenOnce(0, '127.0.0.1');
  if (port === undefined) throw new Error('no free port on 127.0.0.1');
  return port;
}

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<number | undefined>} the port listened on, or undefined when it is taken
 */
function listenOnce(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : undefined));
    });
  });
}
