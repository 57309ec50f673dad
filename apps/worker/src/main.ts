import 'reflect-metadata';
import { formatProblems, loadConfig } from '@reprise/config';
import { createRuntime } from '@reprise/nest';
import { createWorker } from './create-worker.js';

const loaded = loadConfig({ env: process.env, cwd: process.cwd() });
if (!loaded.ok) {
  process.stderr.write(`${formatProblems(loaded.error)}\n`);
  process.exit(78);
}
const config = loaded.value;
const runtime = await createRuntime(config, 'worker');
const worker = await createWorker(runtime).catch((error: unknown) => {
  runtime.log.write('fatal', error instanceof Error ? error.message : String(error));
  process.exit(1);
});
runtime.log.write('info', 'worker takes jobs');

let stopping = false;
async function stop(signal: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  runtime.log.write('info', 'worker stops, running jobs are finished first', { signal });
  // A job that is cut off is taken up by another worker when its lock ends.
  const force = setTimeout(() => process.exit(1), config.server.shutdownGraceMs);
  force.unref();
  await worker.close();
  process.exit(0);
}
process.on('SIGTERM', () => void stop('SIGTERM'));
process.on('SIGINT', () => void stop('SIGINT'));
