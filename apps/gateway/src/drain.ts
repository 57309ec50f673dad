import type { Server } from 'node:http';

const everyMs = 50;

/**
 * Counts the requests under way, so that a stop waits for them and for nothing else: a connection that a client only
 * keeps open, or has opened and not used yet, is no reason to wait.
 */
export class Drain {
  private underWay = 0;

  constructor(private readonly server: Server) {
    server.on('request', (_request, response) => {
      this.underWay += 1;
      response.on('close', () => (this.underWay -= 1));
    });
  }

  /** Closes connections as soon as no request is under way, until the server has ended. */
  begin(): void {
    const timer = setInterval(() => {
      if (this.underWay === 0) this.server.closeAllConnections();
    }, everyMs);
    timer.unref();
    this.server.on('close', () => clearInterval(timer));
  }
}
