import 'reflect-metadata';
import { acceptsAnyKey, formatProblems, listenHost, loadConfig } from '@reprise/config';
import { createRuntime } from '@reprise/nest';
import { createApp } from './create-app.js';
import { Drain } from './drain.js';
import { forgetStart } from './v8-limits.js';
import { warmUp } from './warm-up.js';

const loaded = loadConfig({ env: process.env, cwd: process.cwd() });
if (!loaded.ok) {
  process.stderr.write(`${formatProblems(loaded.error)}\n`);
  process.exit(78);
}
const config = loaded.value;
const runtime = await createRuntime(config, 'gateway');
const app = await createApp(runtime);
const drain = new Drain(app.getHttpServer());
await warmUp(runtime);
forgetStart();
const host = listenHost(config);
await app.listen(config.server.port, host);
runtime.log.write('info', 'gateway listens', { url: await app.getUrl() });
if (acceptsAnyKey(config))
  runtime.log.write('warn', 'no tenant keys are listed: any key is accepted, listening on loopback only');

let stopping = false;
async function stop(signal: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  runtime.log.write('info', 'gateway stops', { signal });
  const force = setTimeout(() => process.exit(1), config.server.shutdownGraceMs);
  force.unref();
  drain.begin();
  await app.close();
  process.exit(0);
}
process.on('SIGTERM', () => void stop('SIGTERM'));
process.on('SIGINT', () => void stop('SIGINT'));
