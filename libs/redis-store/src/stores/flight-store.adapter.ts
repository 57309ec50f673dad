import type { FlightEvent, FlightRole, FlightStore, FlightTicket } from '@reprise/semantic-cache';
import type { Notifier } from '../connection/notifier.js';
import { flightAbandonScript } from '../generated/flight-abandon.gen.js';
import { flightAcquireScript } from '../generated/flight-acquire.gen.js';
import { flightCompleteScript } from '../generated/flight-complete.gen.js';
import { type FlightFollowReply, flightFollowScript } from '../generated/flight-follow.gen.js';
import { flightLeaveScript } from '../generated/flight-leave.gen.js';
import { flightPublishScript } from '../generated/flight-publish.gen.js';
import { baseKey } from '../keys.js';
import type { ScriptRunner } from '../scripts/script-runner.js';

/** Followers look by themselves this often; a notification wakes them sooner. */
const pollMs = 100;

/** Distributed single-flight: leader and followers may sit on different replicas. */
export class RedisFlightStore implements FlightStore {
  constructor(
    private readonly runner: ScriptRunner,
    private readonly notifier: Notifier,
    private readonly nowMs: () => number,
  ) {}

  async acquire(ns: string, ticket: FlightTicket, leaseMs: number, nowMs: number): Promise<FlightRole> {
    const reply = await this.runner.run(flightAcquireScript, ns, { ...ticket, leaseMs, nowMs });
    return { role: reply.status };
  }

  async publish(
    ns: string,
    ticket: FlightTicket,
    chunks: readonly string[],
    leaseMs: number,
    nowMs: number,
  ): Promise<boolean> {
    const reply = await this.runner.run(flightPublishScript, ns, { ...ticket, leaseMs, nowMs, chunks });
    return reply.status === 'ok';
  }

  async complete(ns: string, ticket: FlightTicket, answer: string, entryId: string, keepMs: number): Promise<boolean> {
    const reply = await this.runner.run(flightCompleteScript, ns, { ...ticket, answer, entryId, keepMs });
    return reply.status === 'ok';
  }

  async abandon(ns: string, ticket: FlightTicket, reason: string): Promise<void> {
    await this.runner.run(flightAbandonScript, ns, { ...ticket, reason });
  }

  async leave(ns: string, ticket: FlightTicket): Promise<boolean> {
    const reply = await this.runner.run(flightLeaveScript, ns, { ...ticket });
    return reply.status === 'follower';
  }

  async *follow(ns: string, ticket: FlightTicket, signal: AbortSignal): AsyncIterable<FlightEvent> {
    const channel = await this.notifier.open(`${baseKey(ns)}:fc:${ticket.key}`);
    let ended = false;
    try {
      let leader = '';
      let after = '0';
      while (!signal.aborted) {
        const reply: FlightFollowReply = await this.runner.run(flightFollowScript, ns, {
          key: ticket.key,
          leader,
          after,
          nowMs: this.nowMs(),
        });
        leader = reply.leader;
        for (const chunk of reply.chunks) {
          yield { type: 'chunk', data: chunk.data };
          after = chunk.id;
        }
        if (reply.status !== 'open') {
          ended = true;
          yield reply.status === 'done'
            ? { type: 'done', answer: reply.answer, entryId: reply.entryId }
            : { type: 'abandoned', reason: reply.reason };
          return;
        }
        if (reply.chunks.length === 0) await channel.wait(pollMs, signal);
      }
    } finally {
      channel.close();
      // A follower that goes away no longer keeps its leader's capture going.
      if (!ended) await this.leave(ns, ticket).catch(() => false);
    }
  }
}
