import { seedOf } from '@reprise/kernel';
import { createPolicy, GhostCache, switchablePolicyNames } from '@reprise/policy';
import type { OutcomeEvent } from '../ports/ghost-store.port.js';

/** Policies that always run beside the live one; SOLAR is the one that stands cycles longer than the cache. */
const standing = ['fifo', 'lru', 'solar', 'two-tier'] as const;

/** Entries of one ghost. Larger namespaces are simulated in miniature: the same share of representatives and of capacity. */
const mostEntries = 1_024;

/** What decides which ghosts there are. */
export interface PanelSetting {
  readonly eviction: string;
  readonly configured: string;
  readonly capacity: number;
}

/** Names of the ghosts for a setting: the standing ones, the live policy, and the one that it was handed over from. */
export function ghostNames(setting: PanelSetting): readonly string[] {
  const known: readonly string[] = switchablePolicyNames;
  const names = new Set<string>([...standing, setting.eviction, setting.configured]);
  return [...names].filter((name) => known.includes(name)).sort();
}

/**
 * The ghosts of one namespace, fed with the same events. Ids and outcomes only.
 *
 * Of a namespace above 1,024 entries they see the representatives whose hash falls into the share 1,024 / capacity
 * (miniature simulation: Waldspurger et al., "Cache modeling and optimization using miniature simulations", 2017).
 */
export class GhostPanel {
  readonly names: readonly string[];
  private readonly ghosts: ReadonlyMap<string, GhostCache>;
  private readonly share: number;
  /** The last event seen, '' at first. */
  position = '';

  constructor(readonly setting: PanelSetting) {
    this.share = Math.min(1, mostEntries / setting.capacity);
    const capacity = Math.max(1, Math.round(setting.capacity * this.share));
    this.names = ghostNames(setting);
    // A stream tells an event once: there are no repeated requests to remember.
    const change = { rememberedRequests: 0 };
    this.ghosts = new Map(
      this.names.map((name) => [name, new GhostCache(createPolicy(name, { capacity, change }))] as const),
    );
  }

  /** Whether these ghosts are the ones of a setting. */
  fits(setting: PanelSetting): boolean {
    return setting.capacity === this.setting.capacity && ghostNames(setting).join() === this.names.join();
  }

  /** Every ghost's loss of the event; undefined when it is no step of theirs. */
  observe(event: OutcomeEvent): Readonly<Record<string, number>> | undefined {
    this.position = event.id;
    const ids = event.representatives.filter((id) => this.sees(id));
    if (event.representatives.length > 0 && ids.length === 0) return undefined;
    const call = callOf(event, ids);
    const losses: Record<string, number> = {};
    for (const [name, ghost] of this.ghosts) {
      if (event.kind === 'gone') ids.forEach((id) => ghost.forget(id));
      else if (event.kind === 'write') ids.forEach((id) => ghost.write({ ...call, id }));
      else losses[name] = ghost.observe(call);
    }
    return event.kind === 'hit' || event.kind === 'miss' || event.kind === 'use' ? losses : undefined;
  }

  private sees(id: string): boolean {
    return this.share === 1 || seedOf([id]) / 0x80000000 < this.share;
  }
}

function callOf(event: OutcomeEvent, wanted: readonly string[]) {
  const { id, kind, loss, importance, source } = event;
  const [offered] = kind === 'hit' || kind === 'miss' || kind === 'offer' ? wanted : [];
  return {
    requestId: id,
    wanted,
    // A hit of the live cache would have been generated elsewhere at full cost; a miss would have been reused for nothing.
    missLoss: kind === 'miss' || kind === 'offer' || wanted.length === 0 ? loss : 1,
    hitLoss: kind === 'hit' || kind === 'use' ? loss : 0,
    importance,
    source,
    seed: seedOf([id]),
    ...(offered === undefined ? {} : { offered }),
  };
}
