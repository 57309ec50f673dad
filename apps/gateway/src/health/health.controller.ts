import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { learnsNothing } from '@reprise/config';
import { RUNTIME, type Runtime } from '@reprise/nest';

interface Readiness {
  readonly status: 'ready' | 'degraded';
  readonly degraded: readonly string[];
  /** What an operator may have overlooked; nothing is wrong. */
  readonly hints?: readonly string[];
}

const noJudge = 'no judge is configured (judge.model): nothing is learned, and only the guard rule serves';

/** Liveness, readiness and metrics. */
@Controller()
export class HealthController {
  private readonly hints: readonly string[];

  constructor(@Inject(RUNTIME) private readonly services: Runtime) {
    this.hints = learnsNothing(services.config) ? [noJudge] : [];
  }

  /** The process runs. */
  @Get('healthz')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** Requests are answered. A degraded cache does not make the gateway unready: it goes on as a proxy and says so. */
  @Get('readyz')
  ready(): Readiness {
    const degraded = this.services.degraded();
    const status = degraded.length === 0 ? 'ready' : 'degraded';
    return { status, degraded, ...(this.hints.length === 0 ? {} : { hints: this.hints }) };
  }

  @Get('metrics')
  async metrics(@Res() reply: FastifyReply): Promise<void> {
    await reply
      .header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
      .send(await this.services.metricsText());
  }
}
