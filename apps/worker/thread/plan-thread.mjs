// The planner's thread: a plan takes seconds, and the worker's own thread must go on answering. Ids and numbers come in.
import { parentPort } from 'node:worker_threads';
import { LocalPlanner } from '@reprise/semantic-cache';

const planner = new LocalPlanner();
const works = new Map();

parentPort.on('message', async ({ id, work, call, given }) => {
  try {
    if (call === 'end') return void works.delete(work);
    if (!works.has(work)) works.set(work, planner.begin());
    const result = await works.get(work)[call](...given);
    if (id !== undefined) parentPort.postMessage({ id, result });
  } catch (error) {
    // What is only told has no answer: whoever asks next is told that it failed.
    works.set(work, { [call]: undefined });
    parentPort.postMessage({ id, error: String(error) });
  }
});
