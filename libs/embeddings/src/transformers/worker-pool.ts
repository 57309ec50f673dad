import type { Log, Telemetry } from '@reprise/kernel';
import type { EmbedOutcome } from '@reprise/semantic-cache';
import { WorkerSlot, type EmbedJob, type WorkerReply } from './worker-slot.js';

export interface PoolOptions {
  readonly threads: number;
  readonly queueLimit: number;
  readonly timeoutMs: number;
  /** Silence of a busy thread after which no new text waits for it. */
  readonly stallMs: number;
  /** Silence of a busy thread after which it is replaced. */
  readonly hangMs: number;
  /** Longest that a thread may take to load the model. */
  readonly startMs: number;
  readonly workerData: Readonly<Record<string, unknown>>;
  readonly log: Log;
  readonly telemetry: Telemetry;
}

const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 30_000;
const CLOSE_MS = 2_000;
const EXIT_MS = 1_000;
/** So many threads that do not come back from native code, per thread in use, and no further one is started. */
const MOST_STUCK = 2;

const outcomes = {
  busy: { ok: false, reason: 'busy' },
  timeout: { ok: false, reason: 'timeout' },
  unavailable: { ok: false, reason: 'unavailable' },
  'too-long': { ok: false, reason: 'too-long' },
  empty: { ok: false, reason: 'empty' },
} as const satisfies Record<string, EmbedOutcome>;

function outcomeOf(reply: WorkerReply): EmbedOutcome {
  if (typeof reply !== 'string') return { ok: true, vector: reply };
  switch (reply) {
    case 'too-long':
    case 'empty':
      return outcomes[reply];
    case 'late':
      return outcomes.timeout;
    case 'failed':
    case 'lost':
      return outcomes.unavailable;
  }
}

/**
 * Worker threads with one bounded queue in front. A full queue, a slow answer and a dead thread are outcomes, at once
 * or after `timeoutMs`; a thread that stays silent is replaced, with growing pauses while replacements fail too.
 */
export class WorkerPool {
  private readonly slots = new Map<number, WorkerSlot>();
  private readonly queue: EmbedJob[] = [];
  private readonly backoffMs = new Map<number, number>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly watch: NodeJS.Timeout;
  private closed = false;
  /** Threads that were let go and are not gone yet. */
  private readonly leaving = new Set<WorkerSlot>();
  private readonly beforeExit = (): void => {
    for (const slot of [...this.slots.values(), ...this.leaving]) slot.waitOutside(EXIT_MS);
  };
  private announce: () => void = () => undefined;
  /** Resolves when the first thread has loaded the model, or failed to. */
  readonly firstOutcome: Promise<void>;

  constructor(private readonly options: PoolOptions) {
    this.firstOutcome = new Promise((resolve) => (this.announce = resolve));
    for (let i = 0; i < options.threads; i += 1) this.start(i);
    this.watch = setInterval(() => this.replaceSilent(), Math.max(50, options.hangMs / 10));
    this.watch.unref();
    process.on('exit', this.beforeExit);
  }

  get pending(): number {
    let inside = this.queue.length;
    for (const slot of this.slots.values()) inside += slot.inside;
    return inside;
  }

  get workersReady(): number {
    let ready = 0;
    for (const slot of this.slots.values()) if (slot.ready) ready += 1;
    return ready;
  }

  /** True while some thread is loaded and answering. */
  healthy(): boolean {
    const now = performance.now();
    for (const slot of this.slots.values()) if (this.answers(slot, now)) return true;
    return false;
  }

  embed(text: string, onLate: (vector: Float32Array) => void): Promise<EmbedOutcome> | EmbedOutcome {
    if (this.closed || !this.healthy()) return outcomes.unavailable;
    if (this.queue.length >= this.options.queueLimit) return outcomes.busy;
    return new Promise((resolve) => this.enqueue(text, resolve, onLate));
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.watch);
    for (const timer of this.timers) clearTimeout(timer);
    for (const job of this.queue.splice(0)) job.settle('lost');
    const slots = [...this.slots.values()];
    for (const slot of slots) {
      slot.end('closed');
      this.letGo(slot);
    }
    // A thread that is stuck in native code cannot be ended; the process's exit takes it along.
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_MS)));
    await Promise.race([Promise.all(slots.map((slot) => slot.gone)), enough]);
    clearTimeout(timer);
    this.slots.clear();
    this.announce();
    if (this.leaving.size === 0) process.off('exit', this.beforeExit);
  }

  private letGo(slot: WorkerSlot): void {
    this.leaving.add(slot);
    void slot.gone.then(() => this.leaving.delete(slot));
  }

  private answers(slot: WorkerSlot, now: number): boolean {
    return slot.ready && slot.silentMs(now) < this.options.stallMs;
  }

  private enqueue(
    text: string,
    resolve: (outcome: EmbedOutcome) => void,
    onLate: (vector: Float32Array) => void,
  ): void {
    let open = true;
    const timer = setTimeout(() => {
      // A blocked event loop delays timers and answers alike: an answer that is there already is not late.
      for (const slot of this.slots.values()) slot.drain();
      if (!open) return;
      open = false;
      resolve(outcomes.timeout);
    }, this.options.timeoutMs);
    const settle = (reply: WorkerReply): void => {
      if (open) {
        open = false;
        clearTimeout(timer);
        resolve(outcomeOf(reply));
      } else if (typeof reply !== 'string') onLate(reply);
    };
    this.queue.push({ text, deadlineMs: Date.now() + this.options.timeoutMs, settle });
    this.dispatch();
  }

  /** Gives waiting texts to the threads with most room; texts whose time is over are dropped on the way. */
  private dispatch(): void {
    while (this.queue.length > 0) {
      const slot = this.freeSlot();
      if (!slot) return;
      const job = this.queue.shift();
      if (!job) return;
      if (Date.now() > job.deadlineMs) job.settle('late');
      else slot.give(job);
    }
  }

  private freeSlot(): WorkerSlot | undefined {
    const now = performance.now();
    let best: WorkerSlot | undefined;
    for (const slot of this.slots.values()) {
      if (slot.hasRoom && this.answers(slot, now) && (!best || slot.inside < best.inside)) best = slot;
    }
    return best;
  }

  private start(index: number): void {
    const slot = new WorkerSlot(this.options.workerData, {
      ready: () => {
        this.announce();
        this.dispatch();
      },
      idle: () => {
        this.backoffMs.delete(index);
        this.dispatch();
      },
      ended: (cause) => this.restartLater(index, cause),
    });
    this.slots.set(index, slot);
  }

  private restartLater(index: number, cause: 'hung' | 'crashed'): void {
    const slot = this.slots.get(index);
    this.slots.delete(index);
    if (slot) this.letGo(slot);
    this.announce();
    if (this.closed) return;
    const pauseMs = this.backoffMs.get(index) ?? FIRST_BACKOFF_MS;
    this.backoffMs.set(index, Math.min(pauseMs * 2, LONGEST_BACKOFF_MS));
    this.options.telemetry.count('reprise_embed_restarts_total', { cause });
    this.options.log.write('warn', 'embedding thread is replaced', { cause, pauseMs });
    this.startLater(index, pauseMs);
  }

  private startLater(index: number, pauseMs: number): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      if (this.leaving.size < MOST_STUCK * this.options.threads) this.start(index);
      else this.startLater(index, pauseMs);
    }, pauseMs);
    timer.unref();
    this.timers.add(timer);
  }

  private replaceSilent(): void {
    const now = performance.now();
    for (const slot of this.slots.values()) {
      slot.drain();
      if (slot.silentMs(now) > (slot.ready ? this.options.hangMs : this.options.startMs)) slot.end('hung');
    }
    // Texts that wait while no thread takes them end here; their callers were answered by their own timers.
    while (this.queue[0] && Date.now() > this.queue[0].deadlineMs) this.queue.shift()?.settle('late');
  }
}
