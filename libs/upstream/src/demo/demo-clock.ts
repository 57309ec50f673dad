import { setTimeout as delay } from 'node:timers/promises';

/** Time for the demo upstream: what `created` says, and how its latency passes. */
export interface DemoClock {
  nowMs(): number;
  /** Resolves after `ms`; rejects when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemDemoClock: DemoClock = {
  nowMs: () => Date.now(),
  sleep: async (ms, signal) => {
    signal.throwIfAborted();
    if (ms > 0) await delay(ms, undefined, { signal });
  },
};
