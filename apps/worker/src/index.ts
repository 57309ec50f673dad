export { createWorker } from './create-worker.js';
export { HealthServer } from './health/health-server.js';
export { TableProcessor } from './jobs/table-processor.js';
export { ThreadPlanner } from './plan/thread-planner.js';
export { processors } from './worker.module.js';
