import { Worker } from 'node:worker_threads';
import type { Planner, PlanWork } from '@reprise/semantic-cache';

/** Works from src and from dist: both are beside `thread`. */
const THREAD_FILE = new URL('../../thread/plan-thread.mjs', import.meta.url);

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Reply {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: string;
}

type Call = keyof PlanWork;

/**
 * Plans in a thread of their own, which is started at the first one. When it ends, what waits is rejected and the next
 * plan starts another one; a plan that was begun in it fails.
 */
export class ThreadPlanner implements Planner {
  private thread: Worker | undefined;
  private works = 0;
  private calls = 0;
  private readonly waiting = new Map<number, Waiting>();

  begin(): PlanWork {
    const thread = (this.thread ??= this.start());
    const work = (this.works += 1);
    const tell = (call: Call, ...given: readonly unknown[]): void => thread.postMessage({ work, call, given });
    const ask = <T>(call: Call, ...given: readonly unknown[]): Promise<T> => {
      if (this.thread !== thread) return Promise.reject(new Error("The planner's thread has ended."));
      const id = (this.calls += 1);
      return new Promise<T>((resolve, reject) => {
        this.waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
        thread.postMessage({ id, work, call, given });
      });
    };
    return {
      addLabels: (rows, rejected) => tell('addLabels', rows, rejected),
      addEntries: (entries) => tell('addEntries', entries),
      addPairs: (pairs) => tell('addPairs', pairs),
      information: () => ask('information'),
      pick: (most) => ask('pick', most),
      choose: (options) => ask('choose', options),
      end: () => tell('end'),
    };
  }

  async close(): Promise<void> {
    await this.thread?.terminate();
  }

  private start(): Worker {
    // Flags of the parent (loaders, conditions of a test runner) mean nothing to plain JavaScript.
    const thread = new Worker(THREAD_FILE, { execArgv: [] });
    thread.on('message', ({ id, result, error }: Reply) => {
      const waiting = id === undefined ? undefined : this.waiting.get(id);
      if (id !== undefined) this.waiting.delete(id);
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(error));
    });
    const ended = (reason: string): void => {
      if (this.thread !== thread) return;
      this.thread = undefined;
      for (const { reject } of this.waiting.values()) reject(new Error(reason));
      this.waiting.clear();
    };
    thread.on('error', (error: Error) => ended(`The planner's thread failed: ${error.message}`));
    thread.once('exit', () => ended("The planner's thread has ended."));
    thread.unref();
    return thread;
  }
}
