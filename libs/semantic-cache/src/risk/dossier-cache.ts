import { decodeDossier, type Dossier, SCORED } from '@reprise/policy';
import type { EntryStore } from '../ports/entry-store.port.js';

const DEFAULT_BYTES = 16 * 1024 * 1024;
/** What the map and the buffer cost besides the bytes. */
const OVERHEAD_BYTES = 256;
/** Most ids of one call of the store. */
const MOST_IDS = 64;

/**
 * Dossiers of entries, as bytes, by namespace and id; the one used longest ago leaves. A renewed entry keeps its answer
 * and its history, so its dossier stays true; and only entries that a look-up has just found are asked for, so that
 * nothing that is gone can be scored.
 */
export class DossierCache {
  private readonly kept = new Map<string, Uint8Array>();
  private used = 0;

  constructor(private readonly limitBytes = DEFAULT_BYTES) {}

  get bytes(): number {
    return this.used;
  }

  /**
   * Dossiers of the entries that have one, by id; asks the store once, for what is not held. `ids`: nearest first; those
   * behind the first that are scored come without their words.
   */
  async read(
    store: Pick<EntryStore, 'dossiers'>,
    ns: string,
    ids: readonly string[],
    dimensions: number,
  ): Promise<ReadonlyMap<string, Dossier>> {
    const dossiers = new Map<string, Dossier>();
    const bytes = await this.raw(store, ns, ids);
    for (const id of ids) {
      const one = bytes.get(id);
      const dossier = one && decodeDossier(one, dimensions, dossiers.size < SCORED);
      if (dossier !== undefined) dossiers.set(id, dossier);
    }
    return dossiers;
  }

  /** The same as they are stored: those of comparison rules hold another vector. */
  async raw(
    store: Pick<EntryStore, 'dossiers'>,
    ns: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    const bytes = new Map<string, Uint8Array>();
    const unknown: string[] = [];
    for (const id of ids) {
      const held = this.get(`${ns}\u001f${id}`);
      if (held === undefined) unknown.push(id);
      else bytes.set(id, held);
    }
    if (unknown.length > 0) {
      for (const { id, dossier } of await store.dossiers(ns, unknown.slice(0, MOST_IDS), false)) {
        bytes.set(id, dossier);
        this.put(`${ns}\u001f${id}`, dossier);
      }
    }
    return bytes;
  }

  private get(key: string): Uint8Array | undefined {
    const bytes = this.kept.get(key);
    if (bytes === undefined) return undefined;
    this.kept.delete(key);
    this.kept.set(key, bytes);
    return bytes;
  }

  private put(key: string, given: Uint8Array): void {
    // A copy: the given one may be a window on the buffer of a whole reply.
    const bytes = Uint8Array.from(given);
    const replaced = this.kept.get(key);
    if (replaced !== undefined) this.used -= replaced.byteLength + OVERHEAD_BYTES;
    this.kept.delete(key);
    this.kept.set(key, bytes);
    this.used += bytes.byteLength + OVERHEAD_BYTES;
    for (const [oldest, one] of this.kept) {
      if (this.used <= this.limitBytes) break;
      this.kept.delete(oldest);
      this.used -= one.byteLength + OVERHEAD_BYTES;
    }
  }
}
