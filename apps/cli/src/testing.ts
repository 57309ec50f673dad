import { type AddressInfo, createServer } from 'node:net';
import type { Io } from './io.js';

/** An Io that keeps what is written, for tests. */
export interface RecordedIo extends Io {
  readonly written: { out: string; err: string };
}

export function recordedIo(given: Partial<Pick<Io, 'env' | 'cwd' | 'terminal' | 'signal'>> = {}): RecordedIo {
  const written = { out: '', err: '' };
  return {
    written,
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    env: given.env ?? {},
    cwd: given.cwd ?? '/nowhere',
    terminal: given.terminal ?? false,
    signal: given.signal ?? new AbortController().signal,
  };
}

/** An address on loopback where nobody listens. */
export async function deadUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
