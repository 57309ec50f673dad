import type { ServerResponse } from 'node:http';

/**
 * The client's side of one answer: knows when the client has gone, and writes with back-pressure.
 * A write resolves once the socket takes more, or at once when the client is gone.
 */
export class ClientConnection {
  private readonly abort = new AbortController();
  private failed = false;

  constructor(private readonly raw: ServerResponse) {
    raw.on('close', () => {
      if (!raw.writableFinished) this.abort.abort();
    });
    raw.on('error', () => this.abort.abort());
    // It may have gone while the cache was asked: then its 'close' is over.
    if (raw.destroyed) this.abort.abort();
  }

  /** Aborts when the client goes before its answer is finished. */
  get signal(): AbortSignal {
    return this.abort.signal;
  }

  get gone(): boolean {
    return this.abort.signal.aborted || this.failed;
  }

  get started(): boolean {
    return this.raw.headersSent;
  }

  start(status: number, headers: Readonly<Record<string, string | string[] | number>>): void {
    if (!this.gone && !this.raw.headersSent) this.raw.writeHead(status, headers);
  }

  write(data: string | Uint8Array): Promise<void> {
    if (this.gone || this.raw.write(data)) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        this.raw.off('drain', done);
        this.abort.signal.removeEventListener('abort', done);
        resolve();
      };
      this.raw.once('drain', done);
      this.abort.signal.addEventListener('abort', done, { once: true });
    });
  }

  end(data?: string | Uint8Array): void {
    if (!this.gone) this.raw.end(data);
  }

  /** Writes the last data of an answer that failed, and breaks the connection off behind it. */
  fail(data: string): void {
    if (this.gone) return;
    this.failed = true;
    this.raw.write(data, () => this.raw.destroy());
  }

  /** Breaks the connection off: the answer could not be finished. */
  destroy(): void {
    this.raw.destroy();
  }
}
