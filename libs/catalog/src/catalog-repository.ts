import type { Result } from '@reprise/kernel';
import type { Entity, Search } from 'redis-om';
import type { CatalogConnection, CatalogError, OpenCatalog } from './catalog-connection.js';
import { definitions, type RecordKind } from './schemas.js';

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

export interface RecordPage<T> {
  /** In the order of their names. */
  readonly records: readonly T[];
  /** All that match, on this page or not. */
  readonly total: number;
}

/** Which records are wanted: equal texts, numbers of at least so much. All given members must hold. */
export interface Criteria<T> {
  readonly equal?: { readonly [K in keyof T as T[K] extends string ? K : never]?: T[K] };
  readonly atLeast?: { readonly [K in keyof T as T[K] extends number ? K : never]?: T[K] };
}

type Plain = Readonly<Record<string, string | number>>;

/** Names that one step of a listing reads. */
const stepSize = 200;
/** What the query language of tags says exactly: redis-om escapes punctuation, but not *, and tags are trimmed. */
const exactInSearch = /^[\p{L}\p{N}_.:/@+-]{1,200}$/u;
/** FT.SEARCH gives no page beyond this by default. */
const searchWindow = 10_000;

/**
 * Records of one kind: redis-om saves and fetches them as hashes, a sorted set lists their names. `find` asks the
 * search index where there is one, else it reads the list; the answers are the same.
 */
export class CatalogRepository<T extends object> {
  private readonly fields: readonly string[];

  constructor(
    private readonly connection: CatalogConnection,
    private readonly kind: RecordKind,
    private readonly idOf: (record: T) => string,
  ) {
    this.fields = Object.keys(definitions[kind]);
  }

  save(records: readonly T[]): Promise<Result<number, CatalogError>> {
    return this.connection.answer(async ({ client, shelves }) => {
      const { repository, names } = shelves[this.kind];
      for (const record of records) {
        const id = this.idOf(record);
        await repository.save(id, { ...record } as Entity);
        await client.zAdd(names, { score: 0, value: id });
      }
      return records.length;
    });
  }

  get(id: string): Promise<Result<T | undefined, CatalogError>> {
    return this.connection.answer(async (catalog) => (await this.fetch(catalog, [id]))[0]);
  }

  /** True when it was there. */
  remove(id: string): Promise<Result<boolean, CatalogError>> {
    return this.connection.answer(async ({ client, shelves }) => {
      const known = await client.zRem(shelves[this.kind].names, id);
      await shelves[this.kind].repository.remove(id);
      return known > 0;
    });
  }

  list(page: Page): Promise<Result<RecordPage<T>, CatalogError>> {
    return this.connection.answer(async (catalog) => {
      const { names } = catalog.shelves[this.kind];
      const ids = await catalog.client.zRange(names, page.offset, page.offset + page.limit - 1);
      return { records: await this.fetch(catalog, ids), total: await catalog.client.zCard(names) };
    });
  }

  find(criteria: Criteria<T>, page: Page): Promise<Result<RecordPage<T>, CatalogError>> {
    return this.connection.answer(async (catalog) => {
      const exact = Object.values<unknown>(criteria.equal ?? {}).every((text) => exactInSearch.test(String(text)));
      const found =
        exact && page.offset + page.limit <= searchWindow
          ? await catalog.index.ask(() => this.search(catalog, criteria, page))
          : undefined;
      return found ?? this.walk(catalog, criteria, page);
    });
  }

  private async search({ shelves }: OpenCatalog, criteria: Criteria<T>, page: Page): Promise<RecordPage<T>> {
    let query: Search = shelves[this.kind].repository.search();
    for (const [field, value] of Object.entries(criteria.equal ?? {})) query = query.and(field).equals(value as string);
    for (const [field, value] of Object.entries(criteria.atLeast ?? {})) query = query.and(field).gte(value as number);
    const key = this.fields[0] ?? '';
    const total = await query.return.count();
    const records = await query.sortAscending(key as never).return.page(page.offset, page.limit);
    return { records: records.flatMap((entity) => this.recordOf(entity)), total };
  }

  private async walk(catalog: OpenCatalog, criteria: Criteria<T>, page: Page): Promise<RecordPage<T>> {
    const found: T[] = [];
    for (let at = 0; ; at += stepSize) {
      const ids = await catalog.client.zRange(catalog.shelves[this.kind].names, at, at + stepSize - 1);
      for (const record of await this.fetch(catalog, ids))
        if (fits(record as Plain, criteria as Criteria<Plain>)) found.push(record);
      if (ids.length < stepSize) break;
    }
    return { records: found.slice(page.offset, page.offset + page.limit), total: found.length };
  }

  /** Those that are there; a name whose record is gone is passed over. */
  private async fetch({ shelves }: OpenCatalog, ids: readonly string[]): Promise<T[]> {
    if (ids.length === 0) return [];
    const entities = await shelves[this.kind].repository.fetch([...ids]);
    return entities.flatMap((entity) => this.recordOf(entity));
  }

  private recordOf(entity: Entity): T[] {
    const [key = '', ...rest] = this.fields;
    if (entity[key] === undefined) return [];
    return [Object.fromEntries([key, ...rest].map((field) => [field, entity[field]])) as T];
  }
}

function fits(record: Plain, { equal = {}, atLeast = {} }: Criteria<Plain>): boolean {
  const texts = Object.entries(equal as Plain).every(([field, value]) => record[field] === value);
  return texts && Object.entries(atLeast as Plain).every(([field, value]) => Number(record[field]) >= Number(value));
}
