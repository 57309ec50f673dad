import type { FlightTicket, MissContext } from '@reprise/semantic-cache';
import type { Runtime } from '@reprise/nest';
import { type CapturedAnswer, replayAsChunks, SSE_DONE } from '@reprise/upstream';
import { cacheHeaders } from '../http/cache-headers.js';
import { failStream } from './fail-stream.js';
import { type ChatExchange, newIdentity, readAnswer } from './chat-exchange.js';
import { replayAnswer, sseHeaders, usageChunk } from './replay-answer.js';
import type { StreamSplice } from './stream-splice.js';

/** `again`: the leader is lost, acquire once more; `alone`: its upstream failed or took too long, ask it yourself. */
type Followed = 'answered' | 'again' | 'alone';

/** Ends of a flight that say nothing of its upstream: its lease ran out, another leads, it was removed, or never led. */
const leaderLost: ReadonlySet<string> = new Set(['lease', 'handed-over', 'gone', 'late']);

/** Waits for the leader's answer; a caller that streams is given the chunks as they come. */
export async function follow(
  services: Runtime,
  exchange: ChatExchange,
  context: MissContext,
  ticket: FlightTicket,
  splice: StreamSplice,
  late: boolean,
  untilMs: number,
): Promise<Followed> {
  const { client } = exchange;
  const patience = AbortSignal.timeout(Math.max(1, untilMs - services.clock.nowMs()));
  const signal = AbortSignal.any([client.signal, patience]);
  const headers = (entryId: string): Record<string, string> =>
    cacheHeaders('coalesced', exchange.requestId, {
      reason: 'single-flight',
      ignored: [],
      ...(entryId === '' ? {} : { entryId }),
    });
  try {
    for await (const event of services.flights.follow(context.cache.ns, ticket, signal)) {
      if (event.type === 'abandoned') return leaderLost.has(event.reason) ? 'again' : 'alone';
      if (event.type === 'chunk') {
        if (!exchange.wantsStream || late) continue;
        const data = splice.next(event.data);
        if (data === undefined) failStream(services, client, 'RP_ERR_STREAM_LOST');
        else if (data !== '') {
          client.start(200, { ...headers(''), ...sseHeaders });
          await client.write(data);
        }
        continue;
      }
      if (late && !(await stillLive(services, exchange, context, event.entryId))) return 'alone';
      const nowMs = services.clock.nowMs();
      const answer = readAnswer(event.answer);
      if (splice.started) await finishStream(services, exchange, answer, splice);
      else await replayAnswer(exchange, answer, { ...headers(event.entryId), age: '0' }, nowMs);
      void services.cache.served(context, { ...answer.message });
      return 'answered';
    }
  } catch {
    services.telemetry.count('reprise_degraded_total', { mode: 'flight-unavailable' });
  }
  return client.gone ? 'answered' : 'alone';
}

/** A finished flight may have been purged or quarantined since: its answer counts only while its entry is live. */
async function stillLive(
  services: Runtime,
  exchange: ChatExchange,
  context: MissContext,
  entryId: string,
): Promise<boolean> {
  if (entryId === '') return false;
  const { cache, policy, scope } = context;
  const reply = await services.entries.exact(cache.ns, {
    exactKey: scope.exactKey,
    nowMs: services.clock.nowMs(),
    maxAgeMs: Math.min(policy.maxAgeMs, cache.cacheControl.maxAgeMs ?? Infinity),
    requestId: exchange.requestId,
    policyVersion: 0,
  });
  return reply.outcome === 'hit' && reply.entry.id === entryId;
}

/** The rest of an answer for a client that has been given the beginning of it, by this leader or one before. */
async function finishStream(
  services: Runtime,
  exchange: ChatExchange,
  answer: CapturedAnswer,
  splice: StreamSplice,
): Promise<void> {
  const { client, request, wantsUsage } = exchange;
  if (splice.finished) {
    if (wantsUsage) await client.write(usageChunk(answer, splice.id, splice.createdSeconds, request.model));
    client.end(SSE_DONE);
    return;
  }
  splice.restart();
  const { toolCallId } = newIdentity(0);
  const identity = { id: splice.id, createdSeconds: splice.createdSeconds, toolCallId };
  for (const chunk of replayAsChunks(answer, identity, { includeUsage: wantsUsage, model: request.model })) {
    const data = splice.next(JSON.stringify(chunk));
    if (data === undefined) {
      failStream(services, client, 'RP_ERR_STREAM_LOST');
      return;
    }
    if (data !== '') await client.write(data);
  }
  client.end(SSE_DONE);
}
