import { randomUUID } from 'node:crypto';
import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import { costMicroUsd, priceOf } from '@reprise/config';
import { type EmbeddingsRequest, embeddingsRequestSchema } from '@reprise/contracts';
import { canonicalJson, stableHash } from '@reprise/kernel';
import {
  hasInexactNumber,
  isIllFormed,
  nestsDeeper,
  type PlainOutcome,
  type PlainRequest,
} from '@reprise/semantic-cache';
import { isReadableEncoding, stripHopByHop } from '@reprise/upstream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RUNTIME, type Runtime } from '@reprise/nest';
import { RevocationCheck } from '../http/access.js';
import { cacheHeaders } from '../http/cache-headers.js';
import { identifyCaller } from '../http/caller.js';
import { ClientConnection } from '../http/client-connection.js';
import { sendError } from '../http/errors.js';
import { bodyFlaw, type BodyFlaw, parseJson } from '../http/json-body.js';
import { type Answered, recordAnswer } from '../http/record-answer.js';
import { assertMayAsk, readControls } from '../http/request-controls.js';
import { routeOf } from '../http/route.js';
import { heldBody } from '../http/upstream-body.js';
import { ProxyService, upstreamHeaders } from '../proxy/proxy.service.js';
import { embeddingTokens, inputsOf } from './embeddings-answer.js';

/** Fields that do not change the vectors. */
const neutral = new Set(['user']);

/** A request that may be stored, and how many vectors its answer must hold. */
interface Asked {
  readonly plain: PlainRequest;
  readonly inputs: number;
}

/** POST /v1/embeddings: exact tier only. Texts are never normalised here: another byte may be another vector. */
@Controller('v1')
export class EmbeddingsController {
  constructor(
    @Inject(RUNTIME) private readonly services: Runtime,
    @Inject(ProxyService) private readonly proxy: ProxyService,
    @Inject(RevocationCheck) private readonly revocation: RevocationCheck,
  ) {}

  @Post('embeddings')
  async embed(@Req() req: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const requestId = `req_${randomUUID().replaceAll('-', '')}`;
    reply.header('x-request-id', requestId);
    const startedMs = performance.now();
    try {
      recordAnswer(this.services, 'embeddings', await this.respond(req, reply, requestId), startedMs);
    } catch (error) {
      sendError(reply, error, this.services);
    }
  }

  private async respond(req: FastifyRequest, reply: FastifyReply, requestId: string): Promise<Answered> {
    const { cache, clock, config } = this.services;
    const caller = identifyCaller(config, req.headers);
    const json = parseJson(req.body);
    const live = this.revocation.assertLive(caller.keyHash);
    const plain = this.plainRequest(req, json, requestId, caller);
    const asIs = (word: string): PlainOutcome => ({ kind: 'bypass', notes: { reason: word, ignored: [] } });
    const [checked] = await Promise.all([typeof plain === 'string' ? asIs(plain) : cache.checkPlain(plain), live]);
    reply.headers(cacheHeaders(checked.kind, requestId, checked.notes));
    if (checked.kind === 'hit-exact') {
      const { entry, notes } = checked;
      const headers = cacheHeaders('hit-exact', requestId, notes, entry, clock.nowMs());
      await reply.headers({ ...headers, 'content-type': 'application/json; charset=utf-8' }).send(entry.answer);
      return { cache: 'hit-exact', notes };
    }
    assertMayAsk(readControls(req.headers));
    const asked = typeof plain === 'string' ? undefined : { plain, inputs: inputsOf(json as EmbeddingsRequest) };
    await this.ask(req, reply, requestId, checked, asked);
    return { cache: checked.kind, notes: checked.notes };
  }

  /** The request as the exact tier knows it, or the word for why it has no part in it. */
  private plainRequest(
    req: FastifyRequest,
    json: unknown,
    requestId: string,
    caller: { ns: string; tenant: string },
  ): PlainRequest | 'malformed' | 'too-deep' | 'inexact-number' | BodyFlaw {
    const parsed = embeddingsRequestSchema.safeParse(json);
    if (!parsed.success) return 'malformed';
    if (nestsDeeper(json, this.services.config.limits.jsonDepth)) return 'too-deep';
    const flaw = isIllFormed(json) ? 'ill-formed-text' : bodyFlaw(req.body, json);
    if (flaw !== undefined) return flaw;
    if (hasInexactNumber(json)) return 'inexact-number';
    const fields = Object.fromEntries(Object.entries(json as object).filter(([name]) => !neutral.has(name)));
    const { answerHeaders } = this.services.config.upstream;
    const { cacheControl, askedMode, tags } = readControls(req.headers);
    return {
      requestId,
      ...caller,
      model: parsed.data.model,
      exactKey: stableHash(['embeddings', routeOf(answerHeaders, req.url, req.headers), canonicalJson(fields)]),
      cacheControl,
      tags,
      ...(askedMode === undefined ? {} : { askedMode }),
    };
  }

  private async ask(
    req: FastifyRequest,
    reply: FastifyReply,
    requestId: string,
    checked: Exclude<PlainOutcome, { kind: 'hit-exact' }>,
    asked: Asked | undefined,
  ): Promise<void> {
    reply.hijack();
    const client = new ClientConnection(reply.raw);
    const headers = cacheHeaders(checked.kind, requestId, checked.notes);
    const request = { method: 'POST', path: req.url, headers: upstreamHeaders(req.headers), body: req.body as Buffer };
    if (checked.kind === 'bypass' || asked === undefined) return this.proxy.forward(client, request, headers);
    const capturing = {
      ...request,
      headers: { ...request.headers, 'accept-encoding': 'identity' },
      signal: client.signal,
    };
    const upstream = await this.services.upstream.send(capturing);
    const json = String(upstream.headers['content-type'] ?? '').includes('json');
    if (upstream.status !== 200 || !json || !isReadableEncoding(upstream.headers)) {
      return this.proxy.passThrough(client, upstream, headers);
    }
    const held = await heldBody(upstream, client, headers, this.services.config.limits.captureBytes);
    if (held === undefined) {
      this.services.telemetry.count('reprise_not_storable_total', { reason: 'too-large' });
      return;
    }
    if (checked.write) await this.store(asked, checked.purges, held);
    client.start(200, { ...stripHopByHop(upstream.headers), ...headers, 'content-length': held.length });
    client.end(held);
  }

  private async store({ plain, inputs }: Asked, purges: number, body: Buffer): Promise<void> {
    const { cache, config, telemetry } = this.services;
    const tokens = embeddingTokens(body, inputs);
    if (tokens === undefined) {
      telemetry.count('reprise_not_storable_total', { reason: 'malformed' });
      return;
    }
    await cache.storePlain(
      plain,
      purges,
      body.toString('utf8'),
      tokens,
      costMicroUsd(priceOf(config, plain.model), tokens, 0),
    );
  }
}
