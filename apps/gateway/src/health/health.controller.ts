import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { RUNTIME, type Runtime } from '@reprise/nest';

/** Liveness, readiness and metrics. */
@Controller()
export class HealthController {
  constructor(@Inject(RUNTIME) private readonly services: Runtime) {}

  /** The process runs. */
  @Get('healthz')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** Requests are answered. A degraded cache does not make the gateway unready: it goes on as a proxy and says so. */
  @Get('readyz')
  ready(): { status: 'ready' | 'degraded'; degraded: readonly string[] } {
    const degraded = this.services.degraded();
    return { status: degraded.length === 0 ? 'ready' : 'degraded', degraded };
  }

  @Get('metrics')
  async metrics(@Res() reply: FastifyReply): Promise<void> {
    await reply
      .header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
      .send(await this.services.metricsText());
  }
}
