import { defaultHandOver, HandOver, type HandOverState } from '@reprise/policy';
import type { GhostPage } from '../ports/ghost-store.port.js';

/** What a run leaves to the next one beside the position; plain data. */
export interface GhostState {
  /** Bounds of the comparison; it begins anew when the capacity changes. */
  readonly capacity: number;
  readonly handOver: HandOverState;
  /** The live cache's own mean loss, over about a window of steps. */
  readonly realised: number;
}

/** Weight of one step in the mean of the live cache's own loss. */
const realisedWeight = 1 / defaultHandOver.window;

/** A namespace whose operator named its policy is compared, but never handed over. */
const neverHandOver = { ...defaultHandOver, margin: Infinity };

function parsed(text: string): GhostState | undefined {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as GhostState;
  } catch {
    return undefined;
  }
}

/** The comparison of one namespace: the windowed losses of its ghosts and what the live cache itself lost. */
export class GhostComparison {
  private readonly handOver: HandOver;
  private readonly capacity: number;
  private realised: number | undefined;

  /** Goes on from what the page says; begins anew for another live policy or another capacity. */
  constructor(page: GhostPage) {
    const known = parsed(page.state);
    const same = known?.capacity === page.capacity && known.handOver.live === page.eviction;
    // A policy that an operator has just put in is left alone as long as a window takes to fill.
    this.handOver = new HandOver(same ? known.handOver : page.eviction, page.fixed ? neverHandOver : defaultHandOver);
    this.capacity = page.capacity;
    this.realised = same ? known.realised : undefined;
  }

  /** One step; the decision to hand over, if it is one. */
  observe(losses: Readonly<Record<string, number>>, liveLoss: number) {
    this.realised =
      this.realised === undefined ? liveLoss : this.realised + realisedWeight * (liveLoss - this.realised);
    return this.handOver.observe(losses);
  }

  /** Mean losses in the window by policy, and the live cache's own as `live`. */
  get losses(): Readonly<Record<string, number>> {
    return { ...this.handOver.losses, ...(this.realised === undefined ? {} : { live: this.realised }) };
  }

  get state(): GhostState {
    return { capacity: this.capacity, handOver: this.handOver.state, realised: this.realised ?? 0 };
  }
}
