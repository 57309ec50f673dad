import { randomUUID } from 'node:crypto';
import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import { type ChatCompletionRequest, chatCompletionRequestSchema } from '@reprise/contracts';
import type { CheckOutcome, ChatRequest, DecisionNotes } from '@reprise/semantic-cache';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RUNTIME, type Runtime } from '@reprise/nest';
import { RevocationCheck } from '../http/access.js';
import { cacheHeaders } from '../http/cache-headers.js';
import { type Caller, identifyCaller } from '../http/caller.js';
import { ClientConnection } from '../http/client-connection.js';
import { sendError } from '../http/errors.js';
import { bodyFlaw, parseJson } from '../http/json-body.js';
import { type Answered, recordAnswer } from '../http/record-answer.js';
import { assertMayAsk, hashedUser, readControls, type RequestControls } from '../http/request-controls.js';
import { routeOf } from '../http/route.js';
import { ProxyService, upstreamHeaders } from '../proxy/proxy.service.js';
import { type ChatExchange, readAnswer } from './chat-exchange.js';
import { MissService } from './miss.service.js';
import { replayAnswer } from './replay-answer.js';

/** POST /v1/chat/completions: the hot route. */
@Controller('v1/chat')
export class ChatController {
  constructor(
    @Inject(RUNTIME) private readonly services: Runtime,
    @Inject(MissService) private readonly misses: MissService,
    @Inject(ProxyService) private readonly proxy: ProxyService,
    @Inject(RevocationCheck) private readonly revocation: RevocationCheck,
  ) {}

  @Post('completions')
  async complete(@Req() req: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const startedMs = performance.now();
    const requestId = `req_${randomUUID().replaceAll('-', '')}`;
    reply.header('x-request-id', requestId);
    try {
      const caller = identifyCaller(this.services.config, req.headers);
      recordAnswer(this.services, 'chat', await this.respond(req, reply, requestId, caller), startedMs);
    } catch (error) {
      sendError(reply, error, this.services);
    }
  }

  private async respond(
    req: FastifyRequest,
    reply: FastifyReply,
    requestId: string,
    caller: Caller,
  ): Promise<Answered> {
    const json = parseJson(req.body);
    const live = this.revocation.assertLive(caller.keyHash);
    const controls = readControls(req.headers);
    const flaw = chatCompletionRequestSchema.safeParse(json).success ? bodyFlaw(req.body, json) : 'malformed';
    if (flaw !== undefined) {
      await live;
      return this.bypass(req, reply, requestId, controls, { reason: flaw, ignored: [] });
    }
    const request = json as ChatCompletionRequest;
    const [outcome] = await Promise.all([this.check(req, request, caller, requestId, controls), live]);
    const notes = withUnreadable(outcome.notes, controls);
    if (outcome.kind === 'bypass') return this.bypass(req, reply, requestId, controls, notes);
    if (outcome.kind === 'miss') {
      reply.headers(cacheHeaders('miss', requestId, notes));
      assertMayAsk(controls);
    }
    const exchange = this.exchange(req, reply, requestId, request);
    if (outcome.kind === 'miss') return { cache: await this.misses.answer(exchange, outcome.context, notes), notes };
    return this.replay(exchange, outcome, notes);
  }

  private check(
    req: FastifyRequest,
    request: ChatCompletionRequest,
    caller: Caller,
    requestId: string,
    controls: RequestControls,
  ): Promise<CheckOutcome> {
    const user = request['safety_identifier'] ?? request.user;
    const { cacheControl, askedMode, maxRisk, conversation, endsConversation, tags } = controls;
    return this.services.cache.check({
      requestId,
      ns: caller.ns,
      tenant: caller.tenant,
      request: request as ChatRequest,
      cacheControl,
      tags,
      route: routeOf(this.services.config.upstream.answerHeaders, req.url, req.headers),
      user: typeof user === 'string' && user !== '' ? hashedUser(user) : '',
      ...(askedMode === undefined ? {} : { askedMode }),
      ...(maxRisk === undefined ? {} : { maxRisk }),
      ...(conversation === undefined ? {} : { conversation }),
      ...(endsConversation ? { endsConversation } : {}),
    });
  }

  private exchange(
    req: FastifyRequest,
    reply: FastifyReply,
    requestId: string,
    request: ChatCompletionRequest,
  ): ChatExchange {
    reply.hijack();
    return {
      requestId,
      headers: req.headers,
      path: req.url,
      body: req.body as Buffer,
      request,
      client: new ClientConnection(reply.raw),
      wantsStream: request.stream === true,
      wantsUsage: request.stream_options?.include_usage === true,
    };
  }

  private async replay(
    exchange: ChatExchange,
    outcome: Extract<CheckOutcome, { kind: 'hit-exact' | 'hit-semantic' }>,
    notes: DecisionNotes,
  ): Promise<Answered> {
    const { cache, clock, telemetry } = this.services;
    const { entry } = outcome;
    const answer = readAnswer(entry.answer);
    const headers = cacheHeaders(outcome.kind, exchange.requestId, notes, entry, clock.nowMs());
    await replayAnswer(exchange, answer, headers, clock.nowMs());
    void cache.served(outcome.context, { ...answer.message });
    telemetry.count('reprise_saved_tokens_total', { kind: 'prompt' }, entry.promptTokens);
    telemetry.count('reprise_saved_tokens_total', { kind: 'completion' }, entry.completionTokens);
    telemetry.count('reprise_saved_micro_usd_total', undefined, entry.costMicroUsd);
    return { cache: outcome.kind, notes };
  }

  private async bypass(
    req: FastifyRequest,
    reply: FastifyReply,
    requestId: string,
    controls: RequestControls,
    notes: DecisionNotes,
  ): Promise<Answered> {
    reply.headers(cacheHeaders('bypass', requestId, notes));
    assertMayAsk(controls);
    reply.hijack();
    const client = new ClientConnection(reply.raw);
    const request = { method: 'POST', path: req.url, headers: upstreamHeaders(req.headers), body: req.body as Buffer };
    await this.proxy.forward(client, request, cacheHeaders('bypass', requestId, notes));
    return { cache: 'bypass', notes };
  }
}

function withUnreadable(notes: DecisionNotes, controls: RequestControls): DecisionNotes {
  return controls.unreadable.length === 0 ? notes : { ...notes, ignored: [...notes.ignored, ...controls.unreadable] };
}
