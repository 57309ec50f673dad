import { Worker } from 'node:worker_threads';
import type { Learned, Learners, LearnEvent, LearnerStart } from '@reprise/semantic-cache';

/** Works from src and from dist: both are beside `thread`. */
const THREAD_FILE = new URL('../../thread/learn-thread.mjs', import.meta.url);

interface Waiting {
  readonly resolve: (learned: Learned) => void;
  readonly reject: (error: Error) => void;
}

interface Reply {
  readonly id: number;
  readonly learned?: Learned;
  readonly error?: string;
}

/**
 * Learners in a thread of their own, which is started at the first call. When it ends, what waits is rejected and the
 * next call starts another one, whose learners begin anew.
 */
export class ThreadLearners implements Learners {
  private thread: Worker | undefined;
  private started = 0;
  private calls = 0;
  private readonly waiting = new Map<number, Waiting>();

  get generation(): number {
    return this.thread === undefined ? this.started + 1 : this.started;
  }

  fold(ns: string, start: LearnerStart | undefined, events: readonly LearnEvent[]): Promise<Learned> {
    return this.call({ call: 'fold', ns, start, events });
  }

  serialised(ns: string): Promise<Learned> {
    return this.call({ call: 'serialised', ns });
  }

  drop(ns: string): void {
    this.thread?.postMessage({ call: 'drop', ns });
  }

  async close(): Promise<void> {
    await this.thread?.terminate();
  }

  private call(message: Readonly<Record<string, unknown>>): Promise<Learned> {
    const thread = (this.thread ??= this.begin());
    const id = (this.calls += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      thread.postMessage({ ...message, id });
    });
  }

  private begin(): Worker {
    this.started += 1;
    // Flags of the parent (loaders, conditions of a test runner) mean nothing to plain JavaScript.
    const thread = new Worker(THREAD_FILE, { execArgv: [] });
    thread.on('message', ({ id, learned, error }: Reply) => {
      const waiting = this.waiting.get(id);
      this.waiting.delete(id);
      if (learned === undefined) waiting?.reject(new Error(error));
      else waiting?.resolve(learned);
    });
    const ended = (reason: string): void => {
      if (this.thread !== thread) return;
      this.thread = undefined;
      for (const { reject } of this.waiting.values()) reject(new Error(reason));
      this.waiting.clear();
    };
    thread.on('error', (error: Error) => ended(`The learners' thread failed: ${error.message}`));
    thread.once('exit', () => ended("The learners' thread has ended."));
    thread.unref();
    return thread;
  }
}
