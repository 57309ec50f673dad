import { freemem, totalmem } from 'node:os';
import { bytesText, fail, type Finding, fine, warn } from './finding.js';

const OLDEST_NODE = [20, 19] as const;
/** One gateway with its model stays below 300 MB. */
const ONE_GATEWAY = 300 * 1024 ** 2;

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  const old = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
  if (old) return fail('node', `Node ${version}`, `Install Node ${oldestMajor}.${oldestMinor} or newer.`);
  return fine('node', `Node ${version}`);
}

export function checkMemory(free = freemem(), total = totalmem()): Finding {
  const says = `${bytesText(free)} of ${bytesText(total)} free`;
  if (free >= ONE_GATEWAY) return fine('memory', says);
  return warn('memory', says, 'A gateway with its model takes up to 300 MB: free some memory before you start one.');
}
