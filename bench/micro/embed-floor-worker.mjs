// The floor of the embedding benchmark: the library's own pipeline in a thread, nothing around it.
import { parentPort, workerData } from 'node:worker_threads';
import { env, LogLevel, pipeline } from '@xenova/transformers';

env.allowRemoteModels = false;
env.localModelPath = workerData.modelDir;
env.logLevel = LogLevel.NONE;
const extract = await pipeline('feature-extraction', 'Xenova/all-MiniLM-L6-v2', {
  dtype: workerData.dtype,
  session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
});
await extract('warm up', { pooling: 'mean', normalize: true });
parentPort.on('message', async ({ id, text }) => {
  const { data } = await extract(text, { pooling: 'mean', normalize: true });
  const vector = Float32Array.from(data);
  parentPort.postMessage({ id, vector }, [vector.buffer]);
});
parentPort.postMessage('ready');
