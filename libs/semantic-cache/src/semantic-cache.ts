import type { CacheDependencies } from './dependencies.js';
import type { CacheRequest, CheckOutcome, MissContext } from './cache-request.js';
import { type ChatTurn, textOf } from './request/chat-request.js';
import { label } from './use-cases/label.use-case.js';
import { check } from './use-cases/check.use-case.js';
import { type Feedback, feedback } from './use-cases/feedback.use-case.js';
import { checkPlain, type PlainOutcome, type PlainRequest, storePlain } from './use-cases/plain.use-case.js';
import { continueConversation, type FreshAnswer, store, type StoreOutcome } from './use-cases/store.use-case.js';

/** The core of the product: what the gateway and the simulator both run. */
export class SemanticCache {
  constructor(private readonly deps: CacheDependencies) {}

  check(request: CacheRequest): Promise<CheckOutcome> {
    return check(this.deps, request);
  }

  store(context: MissContext, fresh: FreshAnswer): Promise<StoreOutcome> {
    return store(this.deps, context, fresh);
  }

  /** After an answer from the cache: the conversation goes on. */
  served(context: MissContext, answer: ChatTurn): Promise<void> {
    const served = context.reused === true;
    if (served) {
      const labelled = label(this.deps, context, { text: textOf(answer), served });
      this.deps.beside?.(labelled);
    }
    return continueConversation(this.deps, context, answer);
  }

  feedback(ns: string, given: Feedback): ReturnType<typeof feedback> {
    return feedback(this.deps, ns, given);
  }

  checkPlain(plain: PlainRequest): Promise<PlainOutcome> {
    return checkPlain(this.deps, plain);
  }

  storePlain(
    plain: PlainRequest,
    purges: number,
    answer: string,
    promptTokens: number,
    costMicroUsd: number,
  ): Promise<void> {
    return storePlain(this.deps, plain, purges, answer, promptTokens, costMicroUsd);
  }
}
