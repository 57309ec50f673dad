import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';

/** Sends one request over a kept connection; time to the first byte and to the end, in ms. */
function once(agent, url, body, headers) {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', agent, headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
      (reply) => {
        let firstMs = 0;
        reply.on('data', () => (firstMs ||= performance.now() - startedMs));
        reply.on('end', () =>
          resolve({
            status: reply.statusCode,
            cache: reply.headers['x-cache'],
            firstMs,
            ms: performance.now() - startedMs,
          }),
        );
        reply.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;

/**
 * Closed loop: `connections` clients, each asks again as soon as it is answered, until `seconds` are over.
 * Every reply must be a 200 of the expected x-cache value, else the arm is void.
 */
export async function load({ url, body, headers, expect, connections, seconds }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const all = { 'content-type': 'application/json', authorization: 'Bearer bench-key', ...headers };
  const times = [];
  const firsts = [];
  const strange = {};
  const startedMs = performance.now();
  const untilMs = startedMs + seconds * 1000;
  const client = async () => {
    while (performance.now() < untilMs) {
      const reply = await once(agent, `${url}/v1/chat/completions`, body(), all);
      if (reply.status !== 200 || (expect !== undefined && reply.cache !== expect)) {
        const key = `${reply.status} ${reply.cache}`;
        strange[key] = (strange[key] ?? 0) + 1;
      }
      times.push(reply.ms);
      firsts.push(reply.firstMs);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const elapsed = (performance.now() - startedMs) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  firsts.sort((a, b) => a - b);
  return {
    requests: times.length,
    perSecond: times.length / elapsed,
    p50Ms: at(times, 0.5),
    p99Ms: at(times, 0.99),
    firstByteP50Ms: at(firsts, 0.5),
    strange,
  };
}
