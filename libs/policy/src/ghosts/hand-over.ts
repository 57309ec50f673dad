/** When the recency tier is handed to another policy. */
export interface HandOverConfig {
  /** Steps in the window over which losses are compared, 2,000. */
  readonly window: number;
  /** How much smaller a ghost's mean loss must be, in points of loss (0.02 = 2 of 100). */
  readonly margin: number;
  /** Steps for which a new live policy is left alone, 4,000. */
  readonly hysteresis: number;
  /** Steps in a block of the window; decisions fall on block ends. */
  readonly block: number;
}

export const defaultHandOver: HandOverConfig = { window: 2000, margin: 0.02, hysteresis: 4000, block: 100 };

/** Sums of one block of steps, by policy; losses in millionths, so that adding and restoring them is exact. */
interface LossBlock {
  steps: number;
  readonly microLoss: Record<string, number>;
}

/** Everything the comparison remembers; plain data, so a worker can keep it in Redis and go on after a restart. */
export interface HandOverState {
  readonly live: string;
  /** Steps for which the live policy is still left alone; 0 at first. */
  readonly stepsUntilFree: number;
  readonly blocks: readonly { readonly steps: number; readonly microLoss: Readonly<Record<string, number>> }[];
}

export interface HandOverDecision {
  readonly from: string;
  readonly to: string;
  /** Mean losses over the window, 0 … 1. */
  readonly liveLoss: number;
  readonly ghostLoss: number;
}

/**
 * Compares the losses of ghosts, one of them a ghost of the live policy, and says when another policy should take over.
 *
 * All of them are measured by the same rule on the same steps, so what the live cache has besides its policy (planned and
 * protected entries, judged risks) favours nobody. Pure; the caller switches the store and stays responsible for the audit event.
 */
export class HandOver {
  private live: string;
  private stepsUntilFree: number;
  private readonly blocks: LossBlock[];

  constructor(
    live: string | HandOverState,
    private readonly config: HandOverConfig = defaultHandOver,
  ) {
    const state = typeof live === 'string' ? { live, stepsUntilFree: 0, blocks: [] } : live;
    this.live = state.live;
    this.stepsUntilFree = state.stepsUntilFree;
    this.blocks = state.blocks.map(({ steps, microLoss }) => ({ steps, microLoss: { ...microLoss } }));
  }

  get state(): HandOverState {
    const blocks = this.blocks.map(({ steps, microLoss }) => ({ steps, microLoss: { ...microLoss } }));
    return { live: this.live, stepsUntilFree: this.stepsUntilFree, blocks };
  }

  /** Mean losses over the window so far, by policy. */
  get losses(): Readonly<Record<string, number>> {
    const steps = this.blocks.reduce((sum, block) => sum + block.steps, 0);
    const losses: Record<string, number> = {};
    for (const name of Object.keys(this.blocks.at(-1)?.microLoss ?? {})) {
      losses[name] = this.blocks.reduce((sum, { microLoss }) => sum + (microLoss[name] ?? 0), 0) / steps / 1e6;
    }
    return losses;
  }

  /** One step: the loss of every ghost, the live policy's own among them. Throws when that one is missing. */
  observe(losses: Readonly<Record<string, number>>): HandOverDecision | undefined {
    if (losses[this.live] === undefined) throw new RangeError(`There is no loss of the live policy ${this.live}.`);
    const block = this.openBlock();
    for (const [name, loss] of Object.entries(losses)) {
      const known = block.microLoss[name];
      if (known === undefined && block.steps > 0) continue; // a new ghost starts with a whole block
      block.microLoss[name] = (known ?? 0) + Math.round(loss * 1e6);
    }
    block.steps += 1;
    this.stepsUntilFree = Math.max(0, this.stepsUntilFree - 1);
    return block.steps < this.config.block ? undefined : this.decide();
  }

  private openBlock(): LossBlock {
    const last = this.blocks.at(-1);
    if (last !== undefined && last.steps < this.config.block) return last;
    if (this.blocks.length * this.config.block >= this.config.window) this.blocks.shift();
    const block = { steps: 0, microLoss: {} };
    this.blocks.push(block);
    return block;
  }

  private decide(): HandOverDecision | undefined {
    if (this.stepsUntilFree > 0 || this.blocks.length * this.config.block < this.config.window) return undefined;
    const { losses } = this;
    const liveLoss = losses[this.live] ?? 0;
    let to = this.live;
    let ghostLoss = liveLoss - this.config.margin;
    for (const name of Object.keys(losses).sort()) {
      const loss = losses[name] ?? Infinity;
      if (this.blocks.every(({ microLoss }) => microLoss[name] !== undefined) && loss < ghostLoss) {
        to = name;
        ghostLoss = loss;
      }
    }
    if (to === this.live) return undefined;
    const from = this.live;
    this.live = to;
    this.stepsUntilFree = this.config.hysteresis;
    return { from, to, liveLoss, ghostLoss };
  }
}
