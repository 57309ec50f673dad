export type * from './ports/access-store.port.js';
export type * from './ports/conversation-store.port.js';
export type * from './ports/decision-log.port.js';
export type * from './ports/embedder.port.js';
export type * from './ports/entry-store.port.js';
export type * from './ports/flight-store.port.js';
export type * from './ports/ghost-store.port.js';
export type * from './ports/job-producer.port.js';
export type * from './ports/namespace-admin.port.js';
export type * from './ports/plan-store.port.js';
export type * from './ports/policy-engine.port.js';
export type * from './ports/risk-store.port.js';
export type * from './ports/namespace-catalog.port.js';
export type * from './ports/upstream-model.port.js';
export type * from './ports/vector-cache.port.js';
export * from './cache-request.js';
export * from './deadline.js';
export type * from './dependencies.js';
export * from './judge/equivalence.judge.js';
export * from './judge/judge-circuit.js';
export { VERDICT_SCHEMA } from './judge/judge-prompt.js';
export type * from './judge/judge.types.js';
export { createLlmJudge, type LlmJudgeOptions } from './judge/llm.judge.js';
export * from './label-counters.js';
export { EmbedAhead } from './embed-ahead.js';
export * from './namespace-roll.js';
export * from './policy-cache.js';
export * from './request/cache-control.js';
export * from './request/canonical-text.js';
export * from './request/chat-request.js';
export * from './request/chat-state.js';
export * from './request/classify.js';
export * from './request/scope.js';
export * from './request/state-vector.js';
export * from './request/volatile-spans.js';
export * from './risk/dossier-cache.js';
export * from './risk/risk-snapshots.js';
export * from './semantic-cache.js';
export type { Feedback } from './use-cases/feedback.use-case.js';
export type { FreshAnswer, StoreOutcome } from './use-cases/store.use-case.js';
export type { PlainOutcome, PlainRequest } from './use-cases/plain.use-case.js';
export {
  closeConversations,
  type CloseAgain,
  type CloseDependencies,
} from './use-cases/close-conversation.use-case.js';
export { GhostRuns, type GhostDependencies, type GhostLimits, type GhostReport } from './use-cases/ghosts.use-case.js';
export {
  judgeReuse,
  type JudgeDependencies,
  type JudgeLimits,
  type JudgeOutcome,
  type JudgeTry,
} from './use-cases/judge-reuse.use-case.js';
export { LearnRuns, type LearnDependencies, type LearnReport } from './use-cases/learn/learn-runs.js';
export { type Learners, LocalLearners } from './use-cases/learn/learners.js';
export { type Learned, type LearnerStart, NamespaceLearner } from './use-cases/learn/namespace-learner.js';
export { PlanRuns, type PlanDependencies, type PlanLimits, type PlanReport } from './use-cases/plan/plan-runs.js';
export { LocalPlanner, type Planner, type PlanWork } from './use-cases/plan/planner.js';
export { sweep, type SweepDependencies, type SweepLimits, type SweepReport } from './use-cases/sweep.use-case.js';
export * from './agent-memory.js';
export { isMemorySpace, memorySpace } from './use-cases/memory.use-case.js';
export type { Memory, MemoryProblem, MemoryScope, NewMemory, Recall } from './use-cases/memory.use-case.js';
export {
  type BudgetOutlook,
  liveReport,
  type LiveReport,
  type MeasuredShare,
  type ReportStep,
} from './use-cases/live-report.use-case.js';
