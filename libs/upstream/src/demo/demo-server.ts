import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createDemoUpstream, type DemoStats, type DemoUpstream, type DemoUpstreamOptions } from './demo-upstream.js';

export interface DemoServer {
  /** Base URL for OpenAI clients, `/v1` included. */
  url: string;
  port: number;
  stats(): DemoStats;
  close(): Promise<void>;
}

const STATS_PATH = '/demo/stats';

async function answer(demo: DemoUpstream, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === STATS_PATH) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(demo.stats()));
    return;
  }
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const reply = await demo.send({
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: {},
    body: request,
    signal: gone.signal,
  });
  response.writeHead(reply.status, reply.headers);
  response.flushHeaders();
  await pipeline(reply.body, response);
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** The demo upstream as an HTTP server on loopback; port 0 takes a free one. `GET /demo/stats` counts what it served. */
export async function startDemoServer(port = 0, options: DemoUpstreamOptions = {}): Promise<DemoServer> {
  const demo = createDemoUpstream({ faults: true, latency: { firstTokenMs: 0, tokensPerSecond: 0 }, ...options });
  const server = createServer((request, response) => {
    answer(demo, request, response).catch(() => response.destroy());
  });
  const host = '127.0.0.1';
  const chosen = await listen(server, port, host);
  return {
    url: `http://${host}:${chosen}/v1`,
    port: chosen,
    stats: () => demo.stats(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
