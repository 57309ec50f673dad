/** Distributed single-flight: one upstream call for equal concurrent requests of a namespace. */
export interface FlightTicket {
  readonly key: string;
  /** Unique to this request. */
  readonly owner: string;
}

export type FlightRole =
  | { readonly role: 'leader' }
  | { readonly role: 'follower' }
  /** The flight's answer is already complete: read it with `follow`. */
  | { readonly role: 'done' };

export type FlightEvent =
  /** One piece of the leader's answer, in order (an SSE data payload, or the whole JSON body). */
  | { readonly type: 'chunk'; readonly data: string }
  /** The answer is complete; `answer` is the stored form. */
  | { readonly type: 'done'; readonly answer: string; readonly entryId: string }
  /** The leader gave up (its upstream failed) or its lease ran out: try to acquire again. */
  | { readonly type: 'abandoned'; readonly reason: string };

export interface FlightStore {
  /** Joins or opens the flight. The lease must be renewed by `publish` or `renew` before it ends. */
  acquire(ns: string, ticket: FlightTicket, leaseMs: number, nowMs: number): Promise<FlightRole>;
  /** Appends chunks and renews the lease. False: the lease was lost to another owner. */
  publish(
    ns: string,
    ticket: FlightTicket,
    chunks: readonly string[],
    leaseMs: number,
    nowMs: number,
  ): Promise<boolean>;
  /** Ends the flight with its answer, kept for `keepMs` so that late followers find it. */
  complete(ns: string, ticket: FlightTicket, answer: string, entryId: string, keepMs: number): Promise<boolean>;
  /** Ends the flight without an answer. */
  abandon(ns: string, ticket: FlightTicket, reason: string): Promise<void>;
  /** The leader's client is gone: true when followers wait and the capture must go on, else the flight is removed. */
  leave(ns: string, ticket: FlightTicket): Promise<boolean>;
  /** Events of the flight from its beginning; ends after `done` or `abandoned`, also when the lease runs out. */
  follow(ns: string, ticket: FlightTicket, signal: AbortSignal): AsyncIterable<FlightEvent>;
}
