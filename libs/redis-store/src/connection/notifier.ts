import type { Client } from './connections.js';

interface Channel {
  readonly wake: Set<() => void>;
  /** Resolves when the subscription stands, or could not be had. */
  readonly ready: Promise<void>;
}

/**
 * Wakes waiters of sharded channels. Notifications only save time: every waiter also wakes by itself, so a lost message
 * or an absent subscriber connection costs one poll interval and nothing else.
 */
export class Notifier {
  private readonly channels = new Map<string, Channel>();

  constructor(private readonly client: Client) {
    client.on('smessage', (channel: string) => {
      for (const wake of this.channels.get(channel)?.wake ?? []) wake();
    });
  }

  /** Opens interest in a channel; call the returned function to end it. */
  async open(
    channel: string,
  ): Promise<{ readonly wait: (ms: number, signal: AbortSignal) => Promise<void>; close(): void }> {
    const wake = new Set<() => void>();
    let rung = false;
    const ring = (): void => {
      rung = true;
      for (const waiter of wake) waiter();
    };
    await this.subscribe(channel, ring);
    return {
      wait: async (ms, signal) => {
        if (!rung) await sleepUntil(ms, signal, wake);
        rung = false;
      },
      close: () => this.unsubscribe(channel, ring),
    };
  }

  private subscribe(channel: string, ring: () => void): Promise<void> {
    const known = this.channels.get(channel);
    if (known) {
      known.wake.add(ring);
      return known.ready;
    }
    const ready = this.client.ssubscribe(channel).then(
      () => undefined,
      () => undefined,
    );
    this.channels.set(channel, { wake: new Set([ring]), ready });
    return ready;
  }

  private unsubscribe(channel: string, ring: () => void): void {
    const known = this.channels.get(channel);
    if (!known) return;
    known.wake.delete(ring);
    if (known.wake.size > 0) return;
    this.channels.delete(channel);
    this.client.sunsubscribe(channel).catch(() => undefined);
  }
}

/** Resolves after `ms`, on abort, or when a member that it puts into `wake` is called. */
function sleepUntil(ms: number, signal: AbortSignal, wake: Set<() => void>): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      wake.delete(done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    wake.add(done);
  });
}
