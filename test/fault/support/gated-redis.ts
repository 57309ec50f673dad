import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to Redis that can be shut in front of one command: nothing gets through from there on, in any connection. */
export class GatedRedis {
  private readonly sockets = new Set<Socket>();
  private shutAt: RegExp | undefined;
  private waiting: (() => void)[] = [];
  /** The command came, and everything since waits. */
  shut = false;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(redisPort: number): Promise<GatedRedis> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const gate = new GatedRedis(server, `redis://127.0.0.1:${port}`);
    server.on('connection', (client) => gate.carry(client, connect(redisPort, '127.0.0.1')));
    return gate;
  }

  /** Shuts when the next data that match come. */
  shutBefore(command: RegExp): void {
    this.shutAt = command;
  }

  /** Lets everything through that has waited. */
  open(): void {
    this.shutAt = undefined;
    this.shut = false;
    for (const send of this.waiting.splice(0)) send();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private carry(client: Socket, redis: Socket): void {
    for (const socket of [client, redis]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        redis.destroy();
        this.sockets.delete(socket);
      });
    }
    client.on('data', (data: Buffer) => {
      this.shut ||= this.shutAt?.test(data.toString('latin1')) === true;
      if (this.shut) this.waiting.push(() => redis.write(data));
      else redis.write(data);
    });
    redis.on('data', (data: Buffer) => client.write(data));
  }
}
