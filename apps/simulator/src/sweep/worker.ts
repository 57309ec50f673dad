import { runTask, type SweepTask } from './tasks.js';

/** What each worker thread runs. */
export default (task: SweepTask): unknown => runTask(task);
