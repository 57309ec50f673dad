import type { LearnEvent } from '../../ports/risk-store.port.js';
import { type Learned, type LearnerStart, NamespaceLearner } from './namespace-learner.js';

/** The learners of many namespaces, here or in a thread; what they hold can be built anew from the streams. */
export interface Learners {
  /** Changes when everything that they held is lost. */
  readonly generation: number;
  /** `start`: the namespace's learner begins anew. Rejects when there is none and no start. */
  fold(ns: string, start: LearnerStart | undefined, events: readonly LearnEvent[]): Promise<Learned>;
  /** With model and axes as text. */
  serialised(ns: string): Promise<Learned>;
  drop(ns: string): void;
}

/** Learners on the caller's own thread: a fit holds it up for seconds. */
export class LocalLearners implements Learners {
  readonly generation = 0;
  private readonly learners = new Map<string, NamespaceLearner>();

  constructor(private readonly make = (start: LearnerStart) => new NamespaceLearner(start)) {}

  async fold(ns: string, start: LearnerStart | undefined, events: readonly LearnEvent[]): Promise<Learned> {
    if (start !== undefined) this.learners.set(ns, this.make(start));
    const learner = this.of(ns);
    learner.fold(events);
    return Promise.resolve(learner.learned(false));
  }

  async serialised(ns: string): Promise<Learned> {
    return Promise.resolve(this.of(ns).learned(true));
  }

  drop(ns: string): void {
    this.learners.delete(ns);
  }

  private of(ns: string): NamespaceLearner {
    const learner = this.learners.get(ns);
    if (learner === undefined) throw new Error(`There is no learner of ${ns}.`);
    return learner;
  }
}
