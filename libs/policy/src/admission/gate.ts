/** How the regret gate of SOLAR chooses its threshold tau. */
export type GateConfig = {
  /**
   * `paper`: always admit while fewer than min(max(⌊K/2⌋, 5), 25) entries are live (the reference code).
   * `fill`: always admit while there is room; a modification that evicts nothing has no cost to weigh.
   */
  readonly bootstrap: 'paper' | 'fill';
} & (
  | {
      /** tau = clip(2·lambda, floor, ceiling); admits when c > tau. */
      readonly mode: 'fixed';
      readonly lambda: number;
      readonly floor: number;
      readonly ceiling: number;
    }
  | {
      /** The reference code behind the paper's tables: tau = clip(√(2·lambda / L), floor, ceiling), L smoothed from 2·std of the window; c > tau. */
      readonly mode: 'adaptive';
      readonly lambda: number;
      readonly floor: number;
      readonly ceiling: number;
      /** Losses in the window, 30. */
      readonly window: number;
    }
  | {
      /** Algorithm 1 as printed, with a floor: tau ← (1 − rate)·tau + rate·delta at each gated admission; admits when c ≥ tau. */
      readonly mode: 'paper-literal';
      readonly tau0: number;
      readonly rate: number;
      readonly floor: number;
      readonly ceiling: number;
    }
);

export interface GateState {
  /** Accumulated loss since the last admission, 0 … tau + 1. */
  c: number;
  tau: number;
  /** Loss of the latest step. */
  lastDelta: number;
  /** Adaptive mode: the latest losses, oldest first. */
  window: number[];
  /** Adaptive mode: smoothed loss slope; 0 = not yet known. */
  slope: number;
}

export type GateVerdict = 'bootstrap' | 'regret' | 'below-threshold';

/** SOLAR's lambda 0.5: tau = 1, one whole miss. */
export const defaultGate = {
  mode: 'fixed',
  lambda: 0.5,
  floor: 0.1,
  ceiling: 5,
  bootstrap: 'fill',
} as const satisfies GateConfig;

/** The gate of the paper's code: lambda 5, window 30, the paper's bootstrap. */
export const referenceGate = {
  mode: 'adaptive',
  lambda: 5,
  floor: 0.1,
  ceiling: 5,
  window: 30,
  bootstrap: 'paper',
} as const satisfies GateConfig;

/** Algorithm 1 with the floor that keeps its modification rate from converging to every second step. */
export const literalGate = {
  mode: 'paper-literal',
  tau0: Math.sqrt(5),
  rate: 0.1,
  floor: 0.5,
  ceiling: 5,
  bootstrap: 'paper',
} as const satisfies GateConfig;

/** Loss slope assumed before the window is full. */
const initialSlope = 2;
const slopeMemory = 0.7;
const smallestSlope = 0.1;

export function newGate(config: GateConfig): GateState {
  return { c: 0, tau: initialTau(config), lastDelta: 0, window: [], slope: 0 };
}

function initialTau(config: GateConfig): number {
  switch (config.mode) {
    case 'fixed':
      return clip(2 * config.lambda, config);
    case 'adaptive':
      return Math.sqrt((2 * config.lambda) / initialSlope);
    case 'paper-literal':
      return clip(config.tau0, config);
  }
}

/** Adds the realised loss of one step, 0 … 1. In adaptive mode the threshold follows the window. */
export function addLoss(state: GateState, delta: number, config: GateConfig): void {
  state.lastDelta = delta;
  if (config.mode === 'adaptive') adapt(state, delta, config);
  state.c = Math.min(state.c + delta, state.tau + 1);
}

function adapt(state: GateState, delta: number, config: GateConfig & { mode: 'adaptive' }): void {
  state.window.push(delta);
  if (state.window.length > config.window) state.window.shift();
  if (state.window.length < config.window) return;
  const slope = Math.max(2 * deviation(state.window), smallestSlope);
  state.slope = state.slope === 0 ? slope : slopeMemory * state.slope + (1 - slopeMemory) * slope;
  state.tau = clip(Math.sqrt((2 * config.lambda) / state.slope), config);
}

/** Population standard deviation, two passes, summed from the oldest on. */
function deviation(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / values.length;
  let squares = 0;
  for (const value of values) squares += (value - mean) * (value - mean);
  return Math.sqrt(squares / values.length);
}

/** Whether the offer of this step is admitted; the accumulated loss starts again when it is. */
export function passGate(state: GateState, live: number, capacity: number, config: GateConfig): GateVerdict {
  if (live < bootstrapSize(capacity, config)) {
    state.c = 0;
    return 'bootstrap';
  }
  const open = config.mode === 'paper-literal' ? state.c >= state.tau : state.c > state.tau;
  if (!open) return 'below-threshold';
  state.c = 0;
  if (config.mode === 'paper-literal') {
    state.tau = clip((1 - config.rate) * state.tau + config.rate * state.lastDelta, config);
  }
  return 'regret';
}

/** Number of live entries below which everything is admitted. */
export function bootstrapSize(capacity: number, config: GateConfig): number {
  return config.bootstrap === 'fill' ? capacity : Math.min(Math.max(Math.floor(capacity / 2), 5), 25);
}

function clip(value: number, range: { readonly floor: number; readonly ceiling: number }): number {
  return Math.min(Math.max(value, range.floor), range.ceiling);
}
