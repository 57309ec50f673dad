import type { IncomingMessage } from 'node:http';
import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Log, LogLevel } from '@reprise/kernel';
import type { Runtime } from '@reprise/nest';
import type { FastifyReply } from 'fastify';
import { AppModule } from './app.module.js';
import { serveDocs } from './docs/docs.js';
import { readBytes } from './http/body-parser.js';
import { ignoreExpectations, refuseBroken } from './http/broken-requests.js';
import { RepriseErrorFilter, sendError } from './http/errors.js';

/** Nest's own messages in our log. */
function nestLogger(log: Log): LoggerService {
  const at =
    (level: LogLevel) =>
    (message: unknown, ...rest: unknown[]) =>
      log.write(level, String(message), { context: rest.at(-1) });
  return { log: at('debug'), error: at('error'), warn: at('warn'), debug: at('debug'), verbose: at('trace') };
}

/** The HTTP application; listening is the caller's business. */
export async function createApp(runtime: Runtime): Promise<NestFastifyApplication> {
  const { config, log } = runtime;
  const adapter = new FastifyAdapter({
    bodyLimit: config.server.bodyLimitBytes,
    trustProxy: config.server.trustProxy,
    logger: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 1000, ignoreTrailingSlash: true },
    http: { requireHostHeader: false },
    clientErrorHandler: refuseBroken,
    frameworkErrors: (error: Error, _request: unknown, reply: unknown) =>
      sendError(reply as FastifyReply, error, runtime),
  });
  const fastify = adapter.getInstance();
  ignoreExpectations(fastify.server);
  fastify.removeAllContentTypeParsers();
  // JSON stays bytes: what is proxied must leave as it came. Everything else (uploads) streams through.
  fastify.addContentTypeParser(/^application\/(.+\+)?json\s*(;|$)/i, (_req: unknown, payload: IncomingMessage) =>
    readBytes(payload, config.server.bodyLimitBytes),
  );
  fastify.addContentTypeParser('*', (_req, payload, done) => done(null, payload));
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(runtime), adapter, {
    bodyParser: false,
    logger: nestLogger(log),
  });
  await serveDocs(app);
  app.useGlobalFilters(new RepriseErrorFilter(runtime));
  return app;
}
