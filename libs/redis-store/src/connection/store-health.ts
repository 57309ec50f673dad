import { type Log, RepriseError, type Telemetry } from '@reprise/kernel';

const firstProbeMs = 20;
const longestProbeMs = 1000;

export interface StoreHealthParts {
  readonly name: string;
  /** Resolves when the server answers and holds what it needs; rejects otherwise. Must end by itself. */
  readonly probe: () => Promise<void>;
  /** Called when the server answers again. */
  readonly onUp: () => void;
  readonly nowMs: () => number;
  readonly log: Log | undefined;
  readonly telemetry: Telemetry;
}

/**
 * Circuit breaker of one Redis server: after the first time-out or broken connection every call fails at once, until a
 * probe in the background has been answered. So a dead store costs the first request its time-out and the others nothing.
 */
export class StoreHealth {
  private down: { reason: string; sinceMs: number; told: boolean } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly parts: StoreHealthParts) {}

  get name(): string {
    return this.parts.name;
  }

  get up(): boolean {
    return this.down === undefined;
  }

  /** Why it is down; undefined when it is up. */
  get reason(): string | undefined {
    return this.down?.reason;
  }

  /** Throws RP_ERR_CACHE_UNAVAILABLE while the store counts as down. */
  assertUp(): void {
    if (this.down) throw new RepriseError('RP_ERR_CACHE_UNAVAILABLE', `(${this.down.reason})`);
  }

  markDown(reason: string): void {
    if (this.down?.told === true || this.closed) return;
    const fresh = this.down === undefined;
    this.down = { reason, sinceMs: this.down?.sinceMs ?? this.parts.nowMs(), told: true };
    this.parts.telemetry.count('reprise_store_down_total', { server: this.name });
    this.parts.log?.write('warn', 'Redis counts as down', { server: this.name, reason });
    if (fresh) this.schedule(firstProbeMs);
  }

  /** Counts as down until a probe is answered. Nobody is told: nothing was asked of the server yet. */
  markUnknown(reason: string): void {
    if (this.down || this.closed) return;
    this.down = { reason, sinceMs: this.parts.nowMs(), told: false };
    this.schedule(firstProbeMs);
  }

  /** One probe now; true when the store is up afterwards. */
  async check(): Promise<boolean> {
    try {
      await this.parts.probe();
    } catch (error) {
      if (this.down) this.down.reason = error instanceof Error ? error.message : String(error);
      return false;
    }
    if (this.down && !this.closed) {
      const downMs = this.parts.nowMs() - this.down.sinceMs;
      if (this.down.told) this.parts.log?.write('info', 'Redis answers again', { server: this.name, downMs });
      this.down = undefined;
      this.parts.onUp();
    }
    return true;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  private schedule(delayMs: number): void {
    this.timer = setTimeout(() => {
      void this.check().then((up) => {
        if (!up && !this.closed) this.schedule(Math.min(2 * delayMs, longestProbeMs));
      });
    }, delayMs);
    this.timer.unref();
  }
}
