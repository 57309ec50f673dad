import { forget, type MemoryDependencies, recall, remember, scoreRecall } from './use-cases/memory.use-case.js';

type Rest<F> = F extends (deps: MemoryDependencies, ...rest: infer R) => unknown ? R : never;

/** The experience memory of agents: the response cache's store and policies, asked for by name (case 42). */
export class AgentMemory {
  constructor(private readonly deps: MemoryDependencies) {}

  remember(...args: Rest<typeof remember>): ReturnType<typeof remember> {
    return remember(this.deps, ...args);
  }

  recall(...args: Rest<typeof recall>): ReturnType<typeof recall> {
    return recall(this.deps, ...args);
  }

  score(...args: Rest<typeof scoreRecall>): ReturnType<typeof scoreRecall> {
    return scoreRecall(this.deps, ...args);
  }

  forget(...args: Rest<typeof forget>): ReturnType<typeof forget> {
    return forget(this.deps, ...args);
  }
}
