import type { AccessStore } from '@reprise/semantic-cache';
import type { Client } from '../connection/connections.js';
import { revokedKey } from '../keys.js';
import type { ScriptRunner } from '../scripts/script-runner.js';

/** Revoked API keys: one set of hashes, read at every request. */
export class RedisAccessStore implements AccessStore {
  constructor(
    private readonly runner: ScriptRunner,
    private readonly client: Client,
  ) {}

  async isRevoked(keyHash: string): Promise<boolean> {
    const found = await this.runner.guarded(revokedKey, undefined, () => this.client.sismember(revokedKey, keyHash));
    return found === 1;
  }

  async setRevoked(keyHash: string, revoked: boolean): Promise<void> {
    await this.runner.guarded(revokedKey, undefined, () =>
      revoked ? this.client.sadd(revokedKey, keyHash) : this.client.srem(revokedKey, keyHash),
    );
  }
}
