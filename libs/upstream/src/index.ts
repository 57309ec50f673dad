export * from './openai/header-policy.js';
export * from './openai/join-path.js';
export * from './openai/openai-upstream.js';
export * from './openai/upstream-error.js';
export * from './capture/captured-answer.js';
export * from './capture/chat-completion-assembler.js';
export * from './capture/json-completion.js';
export * from './capture/sse-parser.js';
export * from './capture/storability.js';
export * from './replay/replay.js';
export { systemDemoClock, type DemoClock } from './demo/demo-clock.js';
export { DEMO_FINGERPRINT } from './demo/demo-answer.js';
export { DEMO_FAULTS, type DemoFault } from './demo/demo-faults.js';
export { startDemoServer, type DemoServer } from './demo/demo-server.js';
export {
  createDemoUpstream,
  type DemoLatency,
  type DemoStats,
  type DemoUpstream,
  type DemoUpstreamOptions,
} from './demo/demo-upstream.js';
export { answerFor, isRightAnswer, isSameAnswer, type GroundTruth } from './demo/help-desk/ground-truth.js';
export type { DemoMessage } from './demo/help-desk/messages.js';
export {
  generateConversations,
  wordingsOf,
  type Conversation,
  type ConversationTurn,
  type GeneratorOptions,
} from './demo/help-desk/conversation-generator.js';
