import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { openApiDocument } from './openapi.js';

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Reprise API</title><link rel="stylesheet" href="/docs/assets/swagger-ui.css"></head>
<body><div id="swagger-ui"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script>SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui' });</script>
</body></html>`;

/**
 * /openapi.json and the Swagger UI at /docs, from the assets that the package ships. `@nestjs/swagger` would do the
 * same for 35 MB of resident memory in every gateway; our document comes from zod, so nothing of it is needed.
 */
export async function serveDocs(app: NestFastifyApplication): Promise<void> {
  const root = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  await app.register(fastifyStatic, {
    root,
    prefix: '/docs/assets/',
    decorateReply: false,
    index: false,
    allowedPath: (path) => /^\/swagger-ui(-bundle)?\.(css|js)$/.test(path),
  });
  const document = JSON.stringify(openApiDocument());
  const fastify = app.getHttpAdapter().getInstance();
  fastify.get('/docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
  fastify.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(document));
}
