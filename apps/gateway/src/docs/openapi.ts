import {
  chatCompletionRequestSchema,
  embeddingsRequestSchema,
  feedbackRequestSchema,
  memoryFeedbackSchema,
  memoryRequestSchema,
  memorySearchSchema,
  purgeRequestSchema,
  quarantineRequestSchema,
  requestHeaders,
  responseHeaders,
  revokeKeyRequestSchema,
} from '@reprise/contracts';
import { version } from '@reprise/nest';
import { z } from 'zod';

type Operation = Record<string, unknown>;

const jsonBody = (schema: z.ZodType): Operation => ({
  required: true,
  content: {
    'application/json': {
      schema: z.toJSONSchema(schema, { io: 'input', target: 'openapi-3.0', unrepresentable: 'any' }),
    },
  },
});

const errorBody = {
  description: 'An error of the table (docs/reference/errors.md)',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: {
          error: {
            type: 'object',
            properties: {
              message: { type: 'string' },
              type: { type: 'string' },
              code: { type: 'string' },
              param: { type: 'string', nullable: true },
            },
          },
        },
      },
    },
  },
};

const cacheHeaderDocs = Object.fromEntries(
  Object.values(responseHeaders).map((name) => [name, { schema: { type: 'string' } }]),
);

const headerParameters = Object.values(requestHeaders).map((name) => ({
  name,
  in: 'header',
  schema: { type: 'string' },
}));
const ns = { name: 'ns', in: 'path', required: true, schema: { type: 'string' } };

function operation(tag: string, summary: string, more: Operation = {}): Operation {
  return { tags: [tag], summary, responses: { 200: { description: 'Done' }, default: errorBody }, ...more };
}

const cached = (summary: string, schema: z.ZodType): Operation =>
  operation('OpenAI', summary, {
    parameters: headerParameters,
    requestBody: jsonBody(schema),
    responses: {
      200: { description: "The upstream's answer, or a stored one", headers: cacheHeaderDocs },
      default: errorBody,
    },
    security: [{ key: [] }],
  });

const admin = (summary: string, more: Operation = {}): Operation =>
  operation('Admin', summary, { security: [{ admin: [] }], ...more });

/** The OpenAPI document; the zod schemas of libs/contracts are its source. */
export function openApiDocument(): Record<string, unknown> {
  const space = '/admin/api/namespaces/{ns}';
  const onNamespace = { parameters: [ns] };
  return {
    openapi: '3.0.3',
    info: { title: 'Reprise', version, description: 'OpenAI-compatible gateway with a shared semantic cache.' },
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'The API key of a caller' },
        admin: { type: 'http', scheme: 'bearer', description: 'The admin token' },
      },
    },
    paths: {
      '/v1/chat/completions': {
        post: cached('Chat completion (JSON or server-sent events)', chatCompletionRequestSchema),
      },
      '/v1/embeddings': { post: cached('Embeddings, from the exact tier only', embeddingsRequestSchema) },
      '/v1/models': { get: operation('OpenAI', 'Models of the upstream', { security: [{ key: [] }] }) },
      '/v1/feedback': {
        post: operation('Feedback', 'A verdict on one served answer; `wrong` takes it out of service on all replicas', {
          requestBody: jsonBody(feedbackRequestSchema),
          security: [{ key: [] }],
        }),
      },
      '/v1/memory': {
        post: operation('Memory', 'Keep one experience of an agent', {
          requestBody: jsonBody(memoryRequestSchema),
          security: [{ key: [] }],
        }),
      },
      '/v1/memory/search': {
        post: operation('Memory', 'The nearest live memories of a scope', {
          requestBody: jsonBody(memorySearchSchema),
          security: [{ key: [] }],
        }),
      },
      '/v1/memory/feedback': {
        post: operation('Memory', 'How the work that a search was for turned out', {
          requestBody: jsonBody(memoryFeedbackSchema),
          security: [{ key: [] }],
        }),
      },
      '/v1/memory/{id}': {
        delete: operation('Memory', 'Forget one memory', {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          security: [{ key: [] }],
        }),
      },
      '/admin/api/namespaces': { get: admin('All namespaces') },
      '/admin/api/report': {
        get: admin(
          'What the cache does for a namespace, measured: hits, false-hit rate with intervals, gate, labels, money',
        ),
      },
      [`${space}/stats`]: { get: admin('Counters', onNamespace) },
      [`${space}/entries`]: { get: admin('Entries, newest first', onNamespace) },
      [`${space}/check`]: { get: admin('Broken invariants', onNamespace) },
      [`${space}/explain/{requestId}`]: {
        get: admin('Every input of one decision', {
          parameters: [ns, { name: 'requestId', in: 'path', required: true, schema: { type: 'string' } }],
        }),
      },
      [`${space}/policy`]: { put: admin('Store the policy of a namespace (JSON, whole or in part)', onNamespace) },
      [`${space}/purge`]: {
        post: admin('Remove entries; a dry run unless `dry_run` is false', {
          ...onNamespace,
          requestBody: jsonBody(purgeRequestSchema),
        }),
      },
      '/admin/api/tenants/{tenant}/purge': {
        post: admin('The same in all namespaces of a tenant: its own, those of its keys, and their sub-namespaces', {
          parameters: [{ name: 'tenant', in: 'path', required: true, schema: { type: 'string' } }],
          requestBody: jsonBody(purgeRequestSchema),
        }),
      },
      [`${space}/quarantine`]: {
        post: admin('Take one entry out of service', {
          ...onNamespace,
          requestBody: jsonBody(quarantineRequestSchema),
        }),
      },
      [`${space}/pause`]: {
        post: admin('Stop serving, on all replicas', onNamespace),
        delete: admin('Serve again', onNamespace),
      },
      '/admin/api/keys/revoke': {
        post: admin('Take an API key back', { requestBody: jsonBody(revokeKeyRequestSchema) }),
      },
      '/healthz': { get: operation('Health', 'The process runs') },
      '/readyz': {
        get: operation('Health', 'Requests are answered; says what is degraded, and what may have been overlooked'),
      },
      '/metrics': { get: operation('Health', 'Prometheus metrics') },
      '/openapi.json': { get: operation('Health', 'This document') },
    },
  };
}
