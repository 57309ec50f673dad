// The floors: what a bare server costs for the same work, each in a process of its own, on the same libraries.
import Fastify from 'fastify';
import { Redis } from 'ioredis';
import { createTransformersEmbedder } from '@reprise/embeddings';

const [, , kind, port, redisUrl, modelDir] = process.argv;
const app = Fastify({ logger: false });
const answer = JSON.stringify({
  id: 'chatcmpl-floor',
  object: 'chat.completion',
  created: 0,
  model: 'floor',
  choices: [{ index: 0, message: { role: 'assistant', content: 'x'.repeat(300) }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 12, completion_tokens: 70, total_tokens: 82 },
});
const json = 'application/json; charset=utf-8';

if (kind === 'echo') {
  app.post('/v1/chat/completions', (_request, reply) => reply.type(json).send(answer));
} else if (kind === 'get') {
  const redis = new Redis(redisUrl, { enableAutoPipelining: true });
  await redis.set('floor:answer', answer);
  app.post('/v1/chat/completions', async (_request, reply) => reply.type(json).send(await redis.get('floor:answer')));
} else {
  const redis = new Redis(redisUrl);
  const embedder = await createTransformersEmbedder({
    modelDir,
    dtype: 'q8',
    cacheEntries: 0,
    timeoutMs: 5000,
    queueLimit: 4096,
  });
  const wide = (vector) => {
    const out = new Float32Array(3 * vector.length);
    out.set(vector);
    return Buffer.from(out.buffer);
  };
  app.post('/fill', async (request) => {
    for (const text of request.body.texts) {
      const { vector } = await embedder.embed(text);
      await redis.call('VADD', 'floor:v', 'FP32', wide(vector), text, 'Q8');
    }
    return {};
  });
  app.post('/v1/chat/completions', async (request, reply) => {
    const embedded = await embedder.embed(request.body.messages[0].content);
    await redis.call('VSIM', 'floor:v', 'FP32', wide(embedded.vector), 'WITHSCORES', 'COUNT', '16', 'TRUTH');
    return reply.type(json).send(answer);
  });
}
await app.listen({ port: Number(port), host: '127.0.0.1' });
process.stdout.write('ready\n');
