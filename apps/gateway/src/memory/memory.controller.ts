import { randomUUID } from 'node:crypto';
import { Body, Controller, Delete, Headers, HttpCode, Inject, Param, Post } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { memoryFeedbackSchema, memoryRequestSchema, memorySearchSchema } from '@reprise/contracts';
import { RepriseError } from '@reprise/kernel';
import { RUNTIME, type Runtime } from '@reprise/nest';
import type { Memory, MemoryProblem } from '@reprise/semantic-cache';
import { RevocationCheck } from '../http/access.js';
import { type Caller, identifyCaller, sha256Hex } from '../http/caller.js';
import { parseBody } from '../http/json-body.js';

const newRequestId = (): string => `req_${randomUUID().replaceAll('-', '')}`;

/** By the member that holds the text. */
const problems: Readonly<Record<MemoryProblem, (member: string) => RepriseError>> = {
  'too-long': (member) =>
    new RepriseError('RP_ERR_BAD_REQUEST', `The ${member} is longer than the embedding model can see.`, member),
  empty: (member) =>
    new RepriseError('RP_ERR_BAD_REQUEST', `The ${member} says nothing that can be found again.`, member),
  'foreign-scope': () =>
    new RepriseError(
      'RP_ERR_BAD_REQUEST',
      'supersedes: a memory replaces only memories of its own scope or of one below it; nothing was stored.',
      'supersedes',
    ),
  'embedder-unavailable': () => new RepriseError('RP_ERR_CACHE_UNAVAILABLE', 'The embedding model is not available.'),
  'not-stored': () => new RepriseError('RP_ERR_CACHE_UNAVAILABLE', 'The memory was not stored.'),
  'unknown-request': () => new RepriseError('RP_ERR_NOT_FOUND', 'request_id'),
};

/** 31 bits of the caller's identity: one caller cannot corroborate its own claims. */
const sourceOf = (caller: Caller): number => parseInt(sha256Hex(caller.keyHash).slice(0, 8), 16) >>> 1;

/** /v1/memory: what agents keep from run to run. */
@Controller('v1/memory')
export class MemoryController {
  constructor(
    @Inject(RUNTIME) private readonly services: Runtime,
    @Inject(RevocationCheck) private readonly revocation: RevocationCheck,
  ) {}

  @Post()
  @HttpCode(200)
  async remember(@Headers() headers: IncomingHttpHeaders, @Body() raw: unknown): Promise<unknown> {
    const caller = await this.caller(headers);
    const body = parseBody(memoryRequestSchema, raw);
    const kept = await this.reached(
      this.services.memory.remember({
        requestId: newRequestId(),
        ns: caller.ns,
        tenant: caller.tenant,
        scope: { agent: body.agent ?? '', run: body.run ?? '' },
        text: body.text,
        importance: body.importance,
        tags: body.tags,
        metadata: body.metadata,
        ttlMs: body.ttl_ms ?? this.services.config.memory.ttlMs,
        supersedes: body.supersedes,
        user: body.user === undefined ? '' : sha256Hex(body.user).slice(0, 24),
        source: sourceOf(caller),
      }),
    );
    if (!kept.ok) throw problems[kept.error]('text');
    return { id: kept.value.id, outcome: kept.value.outcome };
  }

  @Post('search')
  @HttpCode(200)
  async search(@Headers() headers: IncomingHttpHeaders, @Body() raw: unknown): Promise<unknown> {
    const caller = await this.caller(headers);
    const body = parseBody(memorySearchSchema, raw);
    const requestId = newRequestId();
    const found = await this.reached(
      this.services.memory.recall({
        requestId,
        ns: caller.ns,
        tenant: caller.tenant,
        scope: { agent: body.agent ?? '', run: body.run ?? '' },
        inherit: body.inherit,
        query: body.query,
        k: body.k,
        minSimilarity: body.min_similarity,
      }),
    );
    if (!found.ok) throw problems[found.error]('query');
    return { request_id: requestId, memories: found.value.map(wireForm) };
  }

  @Post('feedback')
  @HttpCode(200)
  async feedback(@Headers() headers: IncomingHttpHeaders, @Body() raw: unknown): Promise<unknown> {
    const caller = await this.caller(headers);
    const body = parseBody(memoryFeedbackSchema, raw);
    const scored = await this.reached(
      this.services.memory.score({
        ns: caller.ns,
        requestId: body.request_id,
        used: body.used,
        score: body.score,
        importance: body.importance,
        source: sourceOf(caller),
      }),
    );
    if (!scored.ok) throw problems[scored.error]('used');
    return { counted: scored.value.counted };
  }

  @Delete(':id')
  async forget(@Headers() headers: IncomingHttpHeaders, @Param('id') id: string): Promise<unknown> {
    const caller = await this.caller(headers);
    const known = /^[\x21-\x7e]{1,200}$/.test(id) && (await this.reached(this.services.memory.forget(caller.ns, id)));
    if (!known) throw new RepriseError('RP_ERR_NOT_FOUND', 'id');
    return { id, deleted: true };
  }

  private async caller(headers: IncomingHttpHeaders): Promise<Caller> {
    const caller = identifyCaller(this.services.config, headers);
    await this.revocation.assertLive(caller.keyHash);
    return caller;
  }

  /** A memory has no upstream to go on with: without the store the caller is told. */
  private async reached<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof RepriseError && error.code !== 'RP_ERR_INTERNAL') throw error;
      throw new RepriseError('RP_ERR_CACHE_UNAVAILABLE', undefined, null, { cause: error });
    }
  }
}

function wireForm(memory: Memory): Record<string, unknown> {
  const { id, text, similarity, createdMs, importance, metadata, scope } = memory;
  return {
    id,
    text,
    similarity,
    created_ms: createdMs,
    importance,
    metadata,
    agent: scope.agent === '' ? null : scope.agent,
    run: scope.run === '' ? null : scope.run,
  };
}
