import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { uniqueNamespace } from '../redis-harness/redis-harness.js';
import { nowMs, type OpenStore, type StoreUnderTest } from './store-under-test.js';

export interface Suite {
  /** The store of this test file. */
  readonly store: StoreUnderTest;
  /** A fresh namespace for every test. */
  readonly ns: string;
}

/** Opens the store once, gives every test its own namespace, and walks it for broken invariants after every test. */
export function contractSuite(open: OpenStore): Suite {
  let store: StoreUnderTest | undefined;
  let ns = '';
  const current = (): StoreUnderTest => {
    if (!store) throw new Error('The store is not open yet.');
    return store;
  };
  beforeAll(async () => {
    store = await open();
  });
  afterAll(async () => {
    await store?.close();
  });
  beforeEach(() => {
    ns = uniqueNamespace('contract');
  });
  afterEach(async () => {
    expect(await current().admin.check(ns, nowMs)).toEqual([]);
    await current().admin.purge(ns, { all: true }, false, nowMs);
    expect(await current().admin.check(ns, nowMs)).toEqual([]);
  });
  return {
    get store() {
      return current();
    },
    get ns() {
      return ns;
    },
  };
}
