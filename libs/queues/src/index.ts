export {
  closeQueueConnection,
  openQueueConnection,
  type QueueAddress,
  queueAddress,
  type QueueConnection,
} from './connection.js';
export { handlerProblems, type QueueHandlers } from './handler-problems.js';
export { createJobProducer, type JobProducerOptions } from './job-producer.adapter.js';
export {
  jobOptions,
  jobTable,
  keyPrefix,
  queueNames,
  workerOptions,
  type JobName,
  type JobPayload,
  type QueueName,
} from './job-table.js';
export { fromJudgePayload, type JudgePayload } from './judge-payload.js';
export {
  createQueueAdmin,
  deadLetters,
  type DeadLetter,
  type DeadLetters,
  type QueueAdmin,
  type QueueAdminOptions,
} from './queue-admin.js';
export { runJob, type JobAttempt, type JobContext, type JobHandlers, type RunAgain } from './run-job.js';
export { ensureSchedules, type ScheduleTimes } from './schedules.js';
