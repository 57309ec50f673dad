import { Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { feedbackRequestSchema } from '@reprise/contracts';
import { RepriseError } from '@reprise/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RUNTIME, type Runtime } from '@reprise/nest';
import { RevocationCheck } from '../http/access.js';
import { identifyCaller } from '../http/caller.js';
import { parseBody } from '../http/json-body.js';

/** POST /v1/feedback: a person says that a served answer was wrong, or right. */
@Controller('v1')
export class FeedbackController {
  constructor(
    @Inject(RUNTIME) private readonly services: Runtime,
    @Inject(RevocationCheck) private readonly revocation: RevocationCheck,
  ) {}

  @Post('feedback')
  @HttpCode(200)
  async give(@Req() req: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const caller = identifyCaller(this.services.config, req.headers);
    await this.revocation.assertLive(caller.keyHash);
    const body = parseBody(feedbackRequestSchema, req.body);
    const result = await this.services.cache
      .feedback(caller.ns, {
        ...(body.request_id === undefined ? {} : { requestId: body.request_id }),
        ...(body.entry_id === undefined ? {} : { entryId: body.entry_id }),
        verdict: body.verdict,
        note: body.note ?? '',
      })
      .catch((error: unknown) => {
        throw error instanceof RepriseError
          ? error
          : new RepriseError('RP_ERR_CACHE_UNAVAILABLE', undefined, null, { cause: error });
      });
    if (!result.ok)
      throw new RepriseError('RP_ERR_NOT_FOUND', result.error === 'unknown-request' ? 'request_id' : 'entry_id');
    await reply.send({ entry_id: result.value.entryId, verdict: body.verdict, quarantined: result.value.quarantined });
  }
}
