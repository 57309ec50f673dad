import { Inject, Injectable } from '@nestjs/common';
import { costMicroUsd, priceOf } from '@reprise/config';
import type { CacheOutcome } from '@reprise/contracts';
import {
  DeadlineExceeded,
  type DecisionNotes,
  flightKey,
  type FlightTicket,
  type MissContext,
  type UpstreamReply,
} from '@reprise/semantic-cache';
import { type CapturedAnswer, isReadableEncoding, storability } from '@reprise/upstream';
import { RUNTIME, type Runtime } from '@reprise/nest';
import { cacheHeaders } from '../http/cache-headers.js';
import { ProxyService } from '../proxy/proxy.service.js';
import { abandonLate } from './abandon-late.js';
import { AskUpstream } from './ask-upstream.js';
import { type ChatExchange, newIdentity, writeAnswer } from './chat-exchange.js';
import { failStream } from './fail-stream.js';
import { follow } from './follower.js';
import { LeaderFlight } from './leader-flight.js';
import { relayJson } from './relay.js';
import { relayStream } from './relay-stream.js';
import { StreamSplice } from './stream-splice.js';

/** How long followers find an answer that was not stored. */
const unstoredKeepMs = 1_000;

/** Answers a miss: one upstream call for equal concurrent requests, passed through while it is captured. */
@Injectable()
export class MissService {
  private readonly services: Runtime;
  private readonly proxy: ProxyService;
  private readonly upstream: AskUpstream;

  constructor(@Inject(RUNTIME) services: Runtime, @Inject(ProxyService) proxy: ProxyService) {
    this.services = services;
    this.proxy = proxy;
    this.upstream = new AskUpstream(services);
  }

  async answer(exchange: ChatExchange, context: MissContext, notes: DecisionNotes): Promise<CacheOutcome> {
    const { config, telemetry } = this.services;
    const { enabled, leaseMs, maxWaitMs } = config.cache.singleFlight;
    if (!enabled || !context.share) return this.lead(exchange, context, notes);
    const identity = newIdentity(this.services.clock.nowMs());
    const splice = new StreamSplice(identity.id, identity.createdSeconds);
    const ticket = { key: flightKey(context.scope.exactKey, context.purges), owner: exchange.requestId };
    const untilMs = this.services.clock.nowMs() + maxWaitMs;
    while (this.services.clock.nowMs() < untilMs && !exchange.client.gone) {
      const role = await this.acquire(context, ticket, leaseMs);
      telemetry.count('reprise_flights_total', { role });
      if (role === 'none') break;
      if (role === 'leader') {
        splice.restart();
        return this.lead(
          exchange,
          context,
          notes,
          new LeaderFlight(this.services, context.cache.ns, ticket, leaseMs),
          splice,
        );
      }
      const followed = await follow(this.services, exchange, context, ticket, splice, role === 'done', untilMs);
      if (followed === 'answered') return 'coalesced';
      splice.restart();
      if (followed === 'alone') break;
    }
    return this.lead(exchange, context, notes, undefined, splice);
  }

  private async acquire(context: MissContext, ticket: FlightTicket, leaseMs: number) {
    const { clock, flights, telemetry } = this.services;
    const { ns } = context.cache;
    const asked = flights.acquire(ns, ticket, leaseMs, clock.nowMs());
    try {
      return (await context.budget.within(asked)).role;
    } catch {
      // A flight that was opened after all has no leader: those who follow it must not wait for its lease to end.
      asked
        .then(({ role }) => (role === 'leader' ? flights.abandon(ns, ticket, 'late') : undefined))
        .catch(() => abandonLate(this.services, ns, ticket, leaseMs));
      telemetry.count('reprise_degraded_total', { mode: 'flight-unavailable' });
      return 'none';
    }
  }

  /** Makes the upstream call. `splice` holds what this client got already as a follower. */
  private async lead(
    exchange: ChatExchange,
    context: MissContext,
    notes: DecisionNotes,
    flight?: LeaderFlight,
    splice?: StreamSplice,
  ): Promise<CacheOutcome> {
    const call = new AbortController();
    const onGone = (): void => void this.clientGone(call, flight);
    exchange.client.signal.addEventListener('abort', onGone, { once: true });
    if (exchange.client.gone) onGone();
    try {
      const reply = await this.upstream.send(exchange, call.signal);
      await this.relay(exchange, context, notes, reply, flight, splice);
    } catch (error) {
      await flight?.abandon('upstream-failed');
      if (exchange.client.gone) return 'miss';
      if (splice?.started === true) failStream(this.services, exchange.client, 'RP_ERR_UPSTREAM_BROKEN');
      else if (exchange.client.started) exchange.client.destroy();
      else throw error;
    } finally {
      exchange.client.signal.removeEventListener('abort', onGone);
    }
    return 'miss';
  }

  private async clientGone(call: AbortController, flight: LeaderFlight | undefined): Promise<void> {
    if (flight !== undefined && (await flight.leave())) return;
    call.abort();
  }

  private async relay(
    exchange: ChatExchange,
    context: MissContext,
    notes: DecisionNotes,
    reply: UpstreamReply,
    flight: LeaderFlight | undefined,
    splice: StreamSplice | undefined,
  ): Promise<void> {
    const headers = cacheHeaders('miss', exchange.requestId, notes);
    const type = String(reply.headers['content-type'] ?? '');
    const stream = type.includes('text/event-stream');
    if (reply.status !== 200 || !isReadableEncoding(reply.headers) || (!stream && !type.includes('json'))) {
      await flight?.abandon('not-an-answer');
      if (exchange.client.started) failStream(this.services, exchange.client, 'RP_ERR_STREAM_LOST');
      else await this.proxy.passThrough(exchange.client, reply, headers);
      return;
    }
    const store = (captured: CapturedAnswer): Promise<void> =>
      this.inTime(context, this.store(exchange, context, captured, reply.status, flight));
    if (stream) await relayStream({ services: this.services, exchange, reply, headers, store, flight, splice });
    else await relayJson({ services: this.services, exchange, reply, headers, store });
  }

  /** The next equal request finds an answer that was stored before it was sent; but none waits longer for that than allowed. */
  private async inTime(context: MissContext, stored: Promise<void>): Promise<void> {
    try {
      await context.budget.within(stored);
    } catch (error) {
      if (!(error instanceof DeadlineExceeded)) throw error;
      this.services.telemetry.count('reprise_degraded_total', { mode: 'admission-late' });
    }
  }

  /** Stores a complete answer and ends the flight with it. */
  private async store(
    exchange: ChatExchange,
    context: MissContext,
    captured: CapturedAnswer,
    status: number,
    flight: LeaderFlight | undefined,
  ): Promise<void> {
    const { cache, config, telemetry } = this.services;
    const verdict = storability(captured, status, exchange.request);
    const message = { ...captured.message };
    if (!verdict.store) {
      telemetry.count('reprise_not_storable_total', { reason: verdict.reason });
      void cache.served(context, message);
      await flight?.abandon(verdict.reason);
      return;
    }
    const { prompt_tokens: promptTokens = 0, completion_tokens: completionTokens = 0 } = captured.usage ?? {};
    const answer = writeAnswer(captured);
    const stored = await cache.store(context, {
      answer,
      message,
      tier: verdict.tier,
      model: exchange.request.model,
      promptTokens,
      completionTokens,
      costMicroUsd: costMicroUsd(priceOf(config, exchange.request.model), promptTokens, completionTokens),
    });
    const live = stored.outcome === 'stored' || stored.outcome === 'refreshed' ? stored.entryId : '';
    // Without an entry nobody who comes later may have it, only those who already wait.
    const { keepMs } = config.cache.singleFlight;
    await flight?.complete(answer, live, Math.max(1, live === '' ? Math.min(keepMs, unstoredKeepMs) : keepMs));
  }
}
