import type { Log } from '@reprise/kernel';
import type { Repository, Schema } from 'redis-om';
import type { CatalogClient } from './catalog-client.js';

interface Indexed {
  readonly repository: Repository;
  readonly schema: Schema;
}

/**
 * Whether this Redis can search (FT.*), found out once, and the indexes that searching needs.
 *
 * While an index is still being filled, and after a search that failed (an index may vanish with an empty restart),
 * records are listed instead; the next search looks again.
 */
export class SearchIndex {
  private made: Promise<boolean> | undefined;
  private filled = false;

  constructor(
    private readonly client: CatalogClient,
    private readonly kinds: readonly Indexed[],
    private readonly log: Log | undefined,
  ) {}

  /** True when this Redis searches and the indexes are made. */
  available(): Promise<boolean> {
    this.made ??= this.make().catch((error: unknown) => {
      this.made = undefined;
      throw error;
    });
    return this.made;
  }

  /** The answer of a search; undefined when this Redis cannot give one now. */
  async ask<T>(search: () => Promise<T>): Promise<T | undefined> {
    if (!(await this.available())) return undefined;
    try {
      this.filled ||= await this.isFilled();
      return this.filled ? await search() : undefined;
    } catch (error) {
      this.made = undefined;
      this.filled = false;
      this.say('its search failed', error);
      return undefined;
    }
  }

  private async make(): Promise<boolean> {
    if (!(await this.hasSearch())) return false;
    try {
      for (const { repository, schema } of this.kinds) {
        // redis-om remembers that it made an index in a key, which outlives an index that is lost or was never made.
        if ((await this.info(schema)) === undefined) await this.client.del(schema.indexHashName);
        await repository.createIndex();
      }
      return true;
    } catch (error) {
      // For example a database number other than 0, where modules refuse an index.
      this.say('this Redis makes no index', error);
      return false;
    }
  }

  private async hasSearch(): Promise<boolean> {
    // In a Cluster each node would have to be asked; a list of records is short enough.
    if (!('commandInfo' in this.client)) return false;
    const [info] = await this.client.commandInfo(['FT.SEARCH']);
    return info !== undefined && info !== null;
  }

  private async isFilled(): Promise<boolean> {
    for (const { schema } of this.kinds) if ((await this.info(schema))?.get('indexing') !== '0') return false;
    return true;
  }

  /** FT.INFO by name of each value; undefined when there is no such index. */
  private async info(schema: Schema): Promise<Map<string, string> | undefined> {
    if (!('commandInfo' in this.client)) return undefined;
    const reply = await this.client.sendCommand(['FT.INFO', schema.indexName]).catch((error: unknown) => {
      if (/no such index|unknown index/i.test(reasonOf(error))) return undefined;
      throw error;
    });
    if (!Array.isArray(reply)) return undefined;
    const pairs = new Map<string, string>();
    for (let i = 0; i + 1 < reply.length; i += 2) pairs.set(String(reply[i]), String(reply[i + 1]));
    return pairs;
  }

  private say(what: string, error: unknown): void {
    this.log?.write('info', `the catalog is listed: ${what}`, { reason: reasonOf(error) });
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
