import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';

/** A text on its way; exactly one of the callbacks' outcomes is delivered to the caller. */
export interface EmbedJob {
  readonly text: string;
  /** Wall clock, because the worker's monotonic clock starts elsewhere. */
  readonly deadlineMs: number;
  /** A unit vector, or the worker's word why there is none. */
  readonly settle: (reply: WorkerReply) => void;
}

export type WorkerReply = Float32Array | 'too-long' | 'empty' | 'late' | 'failed' | 'lost';

export interface SlotEvents {
  ready(): void;
  /** It has room for a further text. */
  idle(): void;
  /** The thread is gone; its texts were settled as `lost`. */
  ended(cause: 'hung' | 'crashed'): void;
}

/** Works from src and from dist: both are beside `worker`. */
const WORKER_FILE = new URL('../../worker/embed-worker.mjs', import.meta.url);

/** Texts in the thread's mailbox at a time: one being embedded and one waiting, so that the thread never idles between two. */
const AHEAD = 2;

/** Places of the shared array: the thread is in native code; the thread shall leave. */
const INSIDE = 0;
const STOP = 1;

/** One worker thread, from start to end. */
export class WorkerSlot {
  /** Resolves when the thread is really gone, which a thread stuck in native code may never be. */
  readonly gone: Promise<void>;
  private readonly control = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  readonly startedMs = performance.now();
  private readonly worker: Worker;
  private readonly port: MessagePort;
  private readonly jobs: EmbedJob[] = [];
  private lastReplyMs = 0;
  private isReady = false;
  private hasEnded = false;

  constructor(
    data: Readonly<Record<string, unknown>>,
    private readonly events: SlotEvents,
  ) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    // Loading the model is native code as well.
    Atomics.store(this.control, INSIDE, 1);
    this.worker = new Worker(WORKER_FILE, {
      workerData: { ...data, port: port2, control: this.control },
      transferList: [port2],
      // Flags of the parent (loaders, conditions of a test runner) mean nothing to plain JavaScript.
      execArgv: [],
      // What a text leaves behind is small and short-lived; a larger nursery only costs memory.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    this.worker.once('message', () => this.becomeReady());
    this.worker.on('error', () => this.end('crashed'));
    this.gone = new Promise((resolve) => this.worker.once('exit', () => resolve()));
    this.worker.once('exit', () => this.end('crashed'));
    this.port.on('message', (reply: WorkerReply) => this.settle(reply));
    this.port.unref();
  }

  get ready(): boolean {
    return this.isReady && !this.hasEnded;
  }

  get inside(): number {
    return this.jobs.length;
  }

  get hasRoom(): boolean {
    return this.ready && this.jobs.length < AHEAD;
  }

  /** How long the thread has had work and not answered, ms. */
  silentMs(nowMs: number): number {
    if (!this.isReady) return nowMs - this.startedMs;
    return this.jobs.length === 0 ? 0 : nowMs - this.lastReplyMs;
  }

  give(job: EmbedJob): void {
    if (this.jobs.length === 0) this.lastReplyMs = performance.now();
    this.jobs.push(job);
    this.port.postMessage([job.text, job.deadlineMs]);
  }

  /** Takes answers that have arrived but that the event loop has not delivered yet. */
  drain(): void {
    for (let got = receiveMessageOnPort(this.port); got; got = receiveMessageOnPort(this.port)) {
      this.settle(got.message as WorkerReply);
    }
  }

  /**
   * Settles its texts as `lost` and lets the thread go. A thread that is in native code is not ended from here, that
   * would abort the process: it leaves by itself as soon as it comes back.
   */
  end(cause: 'hung' | 'crashed' | 'closed'): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.worker.unref();
    Atomics.store(this.control, STOP, 1);
    // The thread looks at STOP after it sets INSIDE: it either is seen here or sees the request.
    if (Atomics.load(this.control, INSIDE) === 0) void this.worker.terminate();
    this.port.close();
    for (const job of this.jobs.splice(0)) job.settle('lost');
    if (cause !== 'closed') this.events.ended(cause);
  }

  /** Blocks until the thread is out of native code; for the process's exit, which would abort otherwise. */
  waitOutside(maxMs: number): void {
    Atomics.store(this.control, STOP, 1);
    Atomics.wait(this.control, INSIDE, 1, maxMs);
  }

  private becomeReady(): void {
    this.isReady = true;
    this.lastReplyMs = performance.now();
    this.worker.unref();
    this.events.ready();
  }

  private settle(reply: WorkerReply): void {
    this.lastReplyMs = performance.now();
    this.jobs.shift()?.settle(reply);
    this.events.idle();
  }
}
