import type { Redis } from 'ioredis';
import type { Client, Lane } from '../connection/connections.js';
import { withDeadline } from '../connection/deadline.js';
import { ownerOf, refreshOwners } from '../connection/slot-owner.js';
import type { StoreHealth } from '../connection/store-health.js';
import { baseKey } from '../keys.js';
import { decodeReply, encodeArgs } from './codec.js';
import { hasMoved, isNotLoaded, isUnreachable, toRepriseError } from './errors.js';
import type { ScriptSpec } from './script-spec.js';

export interface RunnerParts {
  readonly form: 'fcall' | 'evalsha';
  readonly client: (lane: Lane) => Client;
  /** The breaker of the server that holds the key. */
  readonly healthOf: (key: string) => StoreHealth;
  /** Loads the function library where it is missing. */
  readonly load: () => Promise<void>;
  readonly timeoutMs: number;
}

export interface CallOptions {
  readonly lane?: Lane;
  readonly timeoutMs?: number;
}

/** Runs the generated commands, in either form, behind the breaker; every failure is a RepriseError. */
export class ScriptRunner {
  constructor(private readonly parts: RunnerParts) {}

  async run<A, R>(spec: ScriptSpec<A, R>, ns: string, args: A, options: CallOptions = {}): Promise<R> {
    const key = baseKey(ns);
    const raw = await this.guarded(key, options.timeoutMs, () =>
      this.send(spec, key, args, this.parts.client(options.lane ?? 'exact')),
    );
    return decodeReply(spec as ScriptSpec<never, R>, raw);
  }

  /** A plain command behind the same breaker and time-out. */
  async guarded<T>(key: string, timeoutMs: number | undefined, send: () => Promise<T>): Promise<T> {
    const health = this.parts.healthOf(key);
    health.assertUp();
    const deadlineMs = timeoutMs ?? this.parts.timeoutMs;
    try {
      return await withDeadline(this.reloading(send), deadlineMs);
    } catch (error) {
      if (isUnreachable(error)) health.markDown(error instanceof Error ? error.message : String(error));
      throw toRepriseError(error);
    }
  }

  private async reloading<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      // The server was restarted empty or failed over to one without the library.
      if (!isNotLoaded(error)) throw error;
      await this.parts.load();
      return send();
    }
  }

  private async send<A, R>(spec: ScriptSpec<A, R>, key: string, args: A, client: Client): Promise<unknown> {
    try {
      return await this.call(spec, key, args, ownerOf(client, key));
    } catch (error) {
      // The slot has another owner than this process knows.
      if (!hasMoved(error)) throw error;
      await refreshOwners(client);
      return this.call(spec, key, args, ownerOf(client, key));
    }
  }

  private call<A, R>(spec: ScriptSpec<A, R>, key: string, args: A, client: Redis): Promise<unknown> {
    const encoded = encodeArgs(spec as ScriptSpec<A, unknown>, args);
    if (repliesBytes(spec.reply)) return this.callForBytes(spec, key, encoded, client);
    if (this.parts.form === 'fcall') return client.fcall(spec.functionName, 1, key, ...encoded);
    return client.evalsha(spec.sha1, 1, key, ...encoded).catch((error: unknown) => {
      if (!isNotLoaded(error)) throw error;
      return client.eval(spec.source, 1, key, ...encoded);
    });
  }

  private callForBytes<A, R>(
    spec: ScriptSpec<A, R>,
    key: string,
    encoded: readonly (string | Buffer)[],
    client: Redis,
  ): Promise<unknown> {
    if (this.parts.form === 'fcall') return client.callBuffer('FCALL', spec.functionName, 1, key, ...encoded);
    return client.callBuffer('EVALSHA', spec.sha1, 1, key, ...encoded).catch((error: unknown) => {
      if (!isNotLoaded(error)) throw error;
      return client.callBuffer('EVAL', spec.source, 1, key, ...encoded);
    });
  }
}

/** Text replies would lose bytes that are no UTF-8. */
const repliesBytes = (reply: ScriptSpec<never, unknown>['reply']): boolean =>
  reply.some(([, type, , columns]) => type === 'bytes' || columns.some(([, column]) => column === 'bytes'));
