import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { RUNTIME, type Runtime } from '@reprise/nest';
import { createQueueAdmin, queueAddress, type QueueAdmin, queueNames } from '@reprise/queues';
import { WorkerLifecycle } from '../jobs/worker-lifecycle.js';

/** Longest wait for the gauges that are read from Redis at a scrape. */
const gaugesMs = 1_000;

/** /healthz (the process lives), /readyz (jobs are taken), /metrics; for probes and Prometheus. */
@Injectable()
export class HealthServer implements OnApplicationShutdown {
  private readonly server: Server;
  private admin: QueueAdmin | undefined;
  private listening = '';

  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(WorkerLifecycle) private readonly lifecycle: WorkerLifecycle,
  ) {
    this.server = createServer({ keepAliveTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
      this.answer(request.method ?? '', (request.url ?? '').split('?')[0] ?? '', response).catch(() =>
        send(response, 500, 'text/plain', 'error\n'),
      );
    });
  }

  /** Base URL. */
  get url(): string {
    return this.listening;
  }

  /** Listens on `queues.healthPort`, or on a free port when that is taken. */
  async start(): Promise<void> {
    const { redis, queues, server } = this.runtime.config;
    const address = queueAddress(redis);
    this.admin = createQueueAdmin({ ...address, prefix: queues.prefix });
    const host = server.host ?? '127.0.0.1';
    try {
      await this.listen(queues.healthPort, host);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      await this.listen(0, host);
    }
    const { port } = this.server.address() as AddressInfo;
    this.listening = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
    this.runtime.log.write('info', 'worker answers probes', { url: this.listening });
  }

  async onApplicationShutdown(): Promise<void> {
    this.server.closeAllConnections();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
    await this.admin?.close();
  }

  private async listen(port: number, host: string): Promise<void> {
    this.server.listen(port, host);
    await once(this.server, 'listening');
  }

  private async answer(method: string, path: string, response: ServerResponse): Promise<void> {
    if (method !== 'GET' && method !== 'HEAD') return send(response, 405, 'text/plain', 'method\n');
    const degraded = [...this.runtime.degraded(), ...(this.lifecycle.running ? [] : ['queue-unavailable'])];
    const state = JSON.stringify({ status: degraded.length === 0 ? 'ok' : 'degraded', degraded });
    switch (path) {
      case '/healthz':
        return send(response, 200, 'application/json', state);
      case '/readyz':
        return send(response, this.lifecycle.running ? 200 : 503, 'application/json', state);
      case '/metrics':
        if (!this.runtime.config.telemetry.metrics) break;
        await Promise.race([this.readGauges(), new Promise((resolve) => setTimeout(resolve, gaugesMs).unref())]);
        return send(response, 200, 'text/plain; version=0.0.4; charset=utf-8', await this.runtime.metricsText());
    }
    return send(response, 404, 'text/plain', 'not found\n');
  }

  private async readGauges(): Promise<void> {
    const letters = await this.admin?.deadLetters(0);
    this.runtime.setGauge('reprise_up', letters?.ok === true ? 1 : 0, { part: 'queues' });
    if (letters?.ok !== true) return;
    for (const queue of queueNames)
      this.runtime.setGauge('reprise_dead_letters', letters.value.counts[queue], { queue });
  }
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}
