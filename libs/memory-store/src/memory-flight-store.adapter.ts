import { EventEmitter, once } from 'node:events';
import type { Clock } from '@reprise/kernel';
import type { FlightEvent, FlightRole, FlightStore, FlightTicket } from '@reprise/semantic-cache';
import { checkNamespaceName } from './check-namespace-name.js';

const abandonedKeepMs = 10_000;
const pollMs = 100;

interface Flight {
  readonly owner: string;
  readonly followers: Set<string>;
  readonly chunks: string[];
  readonly change: EventEmitter;
  untilMs: number;
  end: FlightEvent | undefined;
  /** When an ended flight is forgotten. */
  keptUntilMs: number;
}

/** Single-flight inside one process. */
export class MemoryFlightStore implements FlightStore {
  private readonly flights = new Map<string, Flight>();

  constructor(private readonly clock: Clock) {}

  async acquire(ns: string, ticket: FlightTicket, leaseMs: number, nowMs: number): Promise<FlightRole> {
    const key = keyOf(ns, ticket);
    const flight = this.current(key);
    if (flight?.end?.type === 'done') return { role: 'done' };
    if (flight && flight.end === undefined && flight.untilMs > nowMs && flight.owner !== ticket.owner) {
      flight.followers.add(ticket.owner);
      return { role: 'follower' };
    }
    const change = new EventEmitter().setMaxListeners(0);
    const opened = { owner: ticket.owner, followers: new Set<string>(), chunks: [], change, untilMs: nowMs + leaseMs };
    this.flights.set(key, { ...opened, end: undefined, keptUntilMs: Infinity });
    flight?.change.emit('change');
    return Promise.resolve({ role: 'leader' });
  }

  async publish(
    ns: string,
    ticket: FlightTicket,
    chunks: readonly string[],
    leaseMs: number,
    nowMs: number,
  ): Promise<boolean> {
    const flight = this.led(ns, ticket);
    if (!flight) return false;
    flight.chunks.push(...chunks);
    flight.untilMs = nowMs + leaseMs;
    flight.change.emit('change');
    return Promise.resolve(true);
  }

  async complete(ns: string, ticket: FlightTicket, answer: string, entryId: string, keepMs: number): Promise<boolean> {
    return Promise.resolve(this.finish(ns, ticket, { type: 'done', answer, entryId }, keepMs));
  }

  async abandon(ns: string, ticket: FlightTicket, reason: string): Promise<void> {
    this.finish(ns, ticket, { type: 'abandoned', reason }, abandonedKeepMs);
    return Promise.resolve();
  }

  async leave(ns: string, ticket: FlightTicket): Promise<boolean> {
    const flight = this.current(keyOf(ns, ticket));
    if (flight?.owner !== ticket.owner) flight?.followers.delete(ticket.owner);
    else if (flight.end === undefined) {
      if (flight.followers.size > 0) return true;
      this.flights.delete(keyOf(ns, ticket));
    }
    return Promise.resolve(false);
  }

  async *follow(ns: string, ticket: FlightTicket, signal: AbortSignal): AsyncIterable<FlightEvent> {
    const key = keyOf(ns, ticket);
    const flight = this.current(key);
    let next = 0;
    let ended = false;
    try {
      while (!signal.aborted) {
        if (!flight || this.flights.get(key) !== flight) {
          ended = true;
          yield { type: 'abandoned', reason: flight ? 'handed-over' : 'gone' };
          return;
        }
        for (; next < flight.chunks.length; next += 1) yield { type: 'chunk', data: flight.chunks[next] ?? '' };
        const lost = flight.untilMs <= this.clock.nowMs();
        const end: FlightEvent | undefined = flight.end ?? (lost ? { type: 'abandoned', reason: 'lease' } : undefined);
        if (end) {
          ended = true;
          yield end;
          return;
        }
        await Promise.race([once(flight.change, 'change', { signal }), sleep(pollMs)]).catch(() => undefined);
      }
    } finally {
      if (!ended) flight?.followers.delete(ticket.owner);
    }
  }

  /** Flights that ended with this entry's answer are forgotten. */
  forget(ns: string, matches: (key: string, entryId: string) => boolean): void {
    for (const [key, flight] of this.flights) {
      if (!key.startsWith(`${ns}\u001f`)) continue;
      const entryId = flight.end?.type === 'done' ? flight.end.entryId : '';
      if (matches(key.slice(ns.length + 1), entryId)) this.flights.delete(key);
    }
  }

  private current(key: string): Flight | undefined {
    const flight = this.flights.get(key);
    if (flight && flight.keptUntilMs <= this.clock.nowMs()) {
      this.flights.delete(key);
      return undefined;
    }
    return flight;
  }

  private led(ns: string, ticket: FlightTicket): Flight | undefined {
    const flight = this.current(keyOf(ns, ticket));
    return flight?.owner === ticket.owner && flight.end === undefined ? flight : undefined;
  }

  private finish(ns: string, ticket: FlightTicket, end: FlightEvent, keepMs: number): boolean {
    const flight = this.led(ns, ticket);
    if (!flight) return false;
    flight.end = end;
    flight.keptUntilMs = this.clock.nowMs() + keepMs;
    flight.change.emit('change');
    return true;
  }
}

function keyOf(ns: string, ticket: FlightTicket): string {
  checkNamespaceName(ns);
  return `${ns}\u001f${ticket.key}`;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
