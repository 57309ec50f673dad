import { Redis } from 'ioredis';
import { freePort, OwnServer } from './own-server.js';

const slotCount = 16384;

/** A Redis Cluster of three primaries of the test's own, without replicas. */
export class OwnCluster {
  private constructor(readonly nodes: readonly OwnServer[]) {}

  get addresses(): { host: string; port: number }[] {
    return this.nodes.map((node) => ({ host: '127.0.0.1', port: node.port }));
  }

  static async start(size = 3): Promise<OwnCluster> {
    const nodes: OwnServer[] = [];
    for (let i = 0; i < size; i += 1) {
      const busPort = await freePort();
      nodes.push(
        await OwnServer.start([
          ...['--cluster-enabled', 'yes', '--cluster-config-file', 'nodes.conf', '--cluster-node-timeout', '2000'],
          ...['--cluster-port', String(busPort), '--cluster-require-full-coverage', 'no'],
        ]),
      );
    }
    const cluster = new OwnCluster(nodes);
    await cluster.join();
    return cluster;
  }

  /** Runs work on one node's own connection. */
  async on<T>(index: number, work: (client: Redis) => Promise<T>): Promise<T> {
    const node = this.nodes[index];
    if (!node) throw new Error(`There is no node ${index}.`);
    const client = new Redis(node.url);
    try {
      return await work(client);
    } finally {
      client.disconnect();
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
  }

  /** Gives every node its share of the slots, introduces them, waits until all agree. */
  private async join(): Promise<void> {
    const share = Math.ceil(slotCount / this.nodes.length);
    for (let i = 0; i < this.nodes.length; i += 1) {
      const last = Math.min((i + 1) * share, slotCount) - 1;
      await this.on(i, (client) => client.call('CLUSTER', 'ADDSLOTSRANGE', i * share, last));
    }
    for (let i = 1; i < this.nodes.length; i += 1) await this.meet(i);
    for (let i = 0; i < this.nodes.length; i += 1) await this.on(i, (client) => this.settled(client));
  }

  private async meet(index: number): Promise<void> {
    const first = this.nodes[0];
    if (!first) return;
    const busPort = await this.on(0, async (client) => {
      const own = String(await client.call('CLUSTER', 'NODES'))
        .split('\n')
        .find((line) => line.includes('myself'));
      return /@(\d+)/.exec(own ?? '')?.[1] ?? '';
    });
    await this.on(index, (client) => client.call('CLUSTER', 'MEET', '127.0.0.1', first.port, busPort));
  }

  private async settled(client: Redis): Promise<void> {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const info = String(await client.call('CLUSTER', 'INFO'));
      if (info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${this.nodes.length}`)) {
        if (info.includes(`cluster_size:${this.nodes.length}`) && info.includes(`cluster_slots_ok:${slotCount}`))
          return;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('The cluster did not come together.');
  }
}
