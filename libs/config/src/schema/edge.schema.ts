import { z } from 'zod';
import { count, durationMs, sizeBytes } from './units.js';

const httpUrl = z.string().refine(
  (text) => {
    if (!URL.canParse(text)) return false;
    const url = new URL(text);
    return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.search === '';
  },
  { error: 'must be an http(s) URL without user, password or query' },
);

export const serverSchema = z
  .strictObject({
    port: count(0, 65_535).default(8_080).meta({ description: 'Port of the gateway; 0 takes a free one.' }),
    host: z.string().min(1).exactOptional().meta({
      description:
        'Address to listen on. Without it: 127.0.0.1 when the config holds an upstream key and no tenant key is listed (any key would be accepted), else 0.0.0.0.',
    }),
    bodyLimitBytes: sizeBytes(1_024, 268_435_456)
      .default(10_485_760)
      .meta({ description: 'Largest request body in bytes.' }),
    trustProxy: z
      .boolean()
      .default(false)
      .meta({ description: 'Take the client address from X-Forwarded-For of the proxy in front.' }),
    shutdownGraceMs: durationMs(0, 600_000)
      .default(15_000)
      .meta({ description: 'How long open requests may go on after a stop signal, in ms.' }),
  })
  .prefault({})
  .meta({ description: 'The HTTP server of the gateway.' });

const demoUpstreamSchema = z
  .strictObject({
    firstTokenMs: durationMs(0, 60_000).default(250).meta({ description: 'Time to the first token, in ms.' }),
    tokensPerSecond: count(1, 100_000).default(80).meta({ description: 'Speed of the stream.' }),
  })
  .prefault({})
  .meta({ description: 'The built-in upstream, used when neither baseUrl nor apiKey is set.' });

/** Second keys and accounts of a caller, versions and providers of known APIs. */
const ANSWER_HEADERS = [
  'api-key',
  'x-api-key',
  'x-goog-api-key',
  'openai-*',
  'anthropic-*',
  'x-portkey-config',
  'x-portkey-provider',
  'x-portkey-virtual-key',
];

export const upstreamSchema = z
  .strictObject({
    baseUrl: httpUrl.exactOptional().meta({
      description: 'Base URL of any OpenAI-compatible API, with its /v1. With apiKey alone: https://api.openai.com/v1.',
    }),
    apiKey: z.string().min(1).max(4_096).exactOptional().meta({
      secret: true,
      description: "Key sent upstream. Without it the caller's own key is passed on.",
    }),
    connectTimeoutMs: durationMs(1, 600_000).default(5_000).meta({ description: 'Longest wait for a connection.' }),
    headersTimeoutMs: durationMs(1, 3_600_000)
      .default(120_000)
      .meta({ description: 'Longest wait for the first byte of the answer.' }),
    bodyTimeoutMs: durationMs(1, 3_600_000)
      .default(300_000)
      .meta({ description: 'Longest pause between two pieces of an answer.' }),
    retries: count(0, 5)
      .default(1)
      .meta({ description: 'Further tries when the connection failed before the request was sent.' }),
    askUsage: z.boolean().default(true).meta({
      description:
        'Ask for the usage chunk in streams whose caller names no stream_options, so that stored answers carry token counts; the caller does not see it. An upstream that refuses the field is asked again without it.',
    }),
    answerHeaders: z
      .array(z.string().regex(/^[a-z0-9-]+\*?$/, 'a header name in lower case, at its end perhaps a *'))
      .max(100)
      .default(ANSWER_HEADERS)
      .meta({
        description:
          'Request headers that may choose the answer: requests that differ in one of them, or in the query of their URL, never share one. A * at the end stands for any rest.',
      }),
    demo: demoUpstreamSchema,
  })
  .prefault({})
  .meta({ description: 'The model API behind the cache.' });

export const limitsSchema = z
  .strictObject({
    addedLatencyMs: durationMs(1, 10_000)
      .default(50)
      .meta({ description: 'Most that the cache may add to a request, in ms; past it the request goes upstream.' }),
    semanticMaxChars: count(1, 100_000)
      .default(4_096)
      .meta({ description: 'Longest current message, in UTF-16 units, that the semantic tier looks at.' }),
    jsonDepth: count(4, 1_000).default(100).meta({ description: 'Deepest nesting of a request body.' }),
    maxMessages: count(1, 100_000)
      .default(2_000)
      .meta({ description: 'Most messages of a request that the cache looks at; longer ones are proxied.' }),
    captureBytes: sizeBytes(1_024, 268_435_456).default(8_388_608).meta({
      description:
        'Largest answer, in bytes as it comes from the upstream, that is held to be stored; a larger one is passed on and not stored.',
    }),
  })
  .prefault({})
  .meta({ description: 'Limits of the request path.' });
