import { randomUUID } from 'node:crypto';
import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { RepriseError } from '@reprise/kernel';
import { RUNTIME, type Runtime } from '@reprise/nest';
import { RevocationCheck } from '../http/access.js';
import { cacheHeaders } from '../http/cache-headers.js';
import { identifyCaller } from '../http/caller.js';
import { ClientConnection } from '../http/client-connection.js';
import { recordAnswer } from '../http/record-answer.js';
import { sendError } from '../http/errors.js';
import { ProxyService, upstreamHeaders } from './proxy.service.js';

/** Whether a path could climb out of the upstream's base: what normalises it there does so with the configured key. */
function leavesItsBase(url: string): boolean {
  const path = (url.split(/[?#]/, 1)[0] ?? '').replace(/%2e/gi, '.').replace(/%(2f|5c)|\\/gi, '/');
  return path.split('/').some((segment) => segment === '.' || segment === '..');
}

/** Everything of the upstream's API that the cache has no part in. */
@Controller('v1')
export class ProxyController {
  constructor(
    @Inject(RUNTIME) private readonly services: Runtime,
    @Inject(ProxyService) private readonly proxy: ProxyService,
    @Inject(RevocationCheck) private readonly revocation: RevocationCheck,
  ) {}

  @All('*')
  async forward(@Req() req: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const requestId = `req_${randomUUID().replaceAll('-', '')}`;
    const startedMs = performance.now();
    const notes = { reason: 'not-cacheable-route', ignored: [] };
    const headers = cacheHeaders('bypass', requestId, notes);
    reply.headers(headers);
    try {
      if (leavesItsBase(req.url)) throw new RepriseError('RP_ERR_BAD_REQUEST', 'The path has dot segments.');
      const caller = identifyCaller(this.services.config, req.headers);
      await this.revocation.assertLive(caller.keyHash);
      const body = Buffer.isBuffer(req.body) || req.body instanceof Readable ? req.body : undefined;
      reply.hijack();
      const request = {
        method: req.method,
        path: req.url,
        headers: upstreamHeaders(req.headers),
        ...(body ? { body } : {}),
      };
      await this.proxy.forward(new ClientConnection(reply.raw), request, headers);
      recordAnswer(this.services, 'proxy', { cache: 'bypass', notes }, startedMs);
    } catch (error) {
      sendError(reply, error, this.services);
    }
  }
}
