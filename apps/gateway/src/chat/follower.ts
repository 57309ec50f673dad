import type { FlightTicket, MissContext } from '@reprise/semantic-cache';
import { responseHeaders } from '@reprise/contracts';
import type { Runtime } from '@reprise/nest';
import { cacheHeaders } from '../http/cache-headers.js';
import { type ChatExchange, readAnswer } from './chat-exchange.js';
import { replayAnswer, sseHeaders, usageChunk } from './replay-answer.js';
import type { StreamSplice } from './stream-splice.js';

/** `again`: the leader is lost, acquire once more; `alone`: its upstream failed or took too long, ask it yourself. */
type Followed = 'answered' | 'again' | 'alone';

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
      if (event.type === 'abandoned') return event.reason === 'lease-expired' ? 'again' : 'alone';
      if (event.type === 'chunk') {
        if (!exchange.wantsStream || late) continue;
        const data = splice.next(event.data);
        if (data === undefined) client.destroy();
        else if (data !== '') {
          client.start(200, { ...headers(''), ...sseHeaders });
          await client.write(data);
        }
        continue;
      }
      if (late && !(await stillLive(services, exchange, context, event.entryId))) return 'alone';
      await finish(exchange, event.answer, headers(event.entryId), splice, services.clock.nowMs());
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
  const nowMs = services.clock.nowMs();
  const maxAgeMs = Math.min(context.policy.maxAgeMs, context.cache.cacheControl.maxAgeMs ?? Infinity);
  const { ns } = context.cache;
  const { policyVersion } = await services.entries.policy(ns, -1);
  const reply = await services.entries.serve(ns, {
    entryId,
    nowMs,
    maxAgeMs,
    requestId: exchange.requestId,
    policyVersion,
  });
  return reply.outcome === 'served';
}

async function finish(
  exchange: ChatExchange,
  answerText: string,
  headers: Record<string, string>,
  splice: StreamSplice,
  nowMs: number,
): Promise<void> {
  const answer = readAnswer(answerText);
  if (!splice.started) {
    await replayAnswer(exchange, answer, { ...headers, [responseHeaders.age]: '0' }, nowMs);
    return;
  }
  if (exchange.wantsUsage)
    await exchange.client.write(usageChunk(answer, splice.id, splice.createdSeconds, exchange.request.model));
  exchange.client.end('data: [DONE]\n\n');
}
