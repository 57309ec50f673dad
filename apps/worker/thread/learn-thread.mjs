// The learners' thread: fits take seconds, and the worker's own thread must go on answering. Ids and numbers come in.
import { parentPort } from 'node:worker_threads';
import { LocalLearners } from '@reprise/semantic-cache';

const learners = new LocalLearners();

parentPort.on('message', async ({ id, call, ns, start, events }) => {
  try {
    if (call === 'drop') learners.drop(ns);
    else if (call === 'fold') parentPort.postMessage({ id, learned: await learners.fold(ns, start, events) });
    else parentPort.postMessage({ id, learned: await learners.serialised(ns) });
  } catch (error) {
    parentPort.postMessage({ id, error: String(error) });
  }
});
