import type { FlightStore, FlightTicket } from '@reprise/semantic-cache';
import type { Runtime } from '@reprise/nest';
import { abandonLate } from './abandon-late.js';

const batchMs = 20;

/**
 * The leader's side of a flight: sends chunks in batches and keeps the lease. All failures are silent: a flight that
 * breaks costs the followers their wait, never the leader its answer.
 */
export class LeaderFlight {
  private pending: string[] = [];
  private flush: NodeJS.Timeout | undefined;
  private readonly renew: NodeJS.Timeout;
  private ended = false;
  private tail: Promise<unknown> = Promise.resolve();
  private readonly flights: FlightStore;

  constructor(
    private readonly services: Runtime,
    private readonly ns: string,
    private readonly ticket: FlightTicket,
    private readonly leaseMs: number,
  ) {
    this.flights = services.flights;
    this.renew = setInterval(() => this.send(), leaseMs / 3);
    this.renew.unref();
  }

  publish(data: string): void {
    if (this.ended) return;
    this.pending.push(data);
    this.flush ??= setTimeout(() => this.send(), batchMs);
  }

  /** True when followers wait for the answer although the leader's client has gone. */
  async leave(): Promise<boolean> {
    return this.flights.leave(this.ns, this.ticket).catch(() => false);
  }

  async complete(answer: string, entryId: string, keepMs: number): Promise<void> {
    if (this.ended) return;
    this.stop();
    this.send();
    await this.tail;
    await this.flights.complete(this.ns, this.ticket, answer, entryId, keepMs).catch(() => this.failed());
  }

  async abandon(reason: string): Promise<void> {
    if (this.ended) return;
    this.stop();
    await this.flights.abandon(this.ns, this.ticket, reason).catch(() => this.failed());
  }

  private stop(): void {
    this.ended = true;
    clearInterval(this.renew);
    clearTimeout(this.flush);
  }

  /** The store does not answer: the flight is ended as soon as it does. */
  private failed(): void {
    void abandonLate(this.services, this.ns, this.ticket, this.leaseMs);
  }

  private send(): void {
    clearTimeout(this.flush);
    this.flush = undefined;
    const chunks = this.pending;
    this.pending = [];
    if (this.ended && chunks.length === 0) return;
    const nowMs = this.services.clock.nowMs();
    this.tail = this.tail
      .then(() => this.flights.publish(this.ns, this.ticket, chunks, this.leaseMs, nowMs))
      .catch(() => false);
  }
}
