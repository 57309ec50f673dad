import { formatProblems, loadConfig } from '@reprise/config';
import { createRuntime, type Runtime } from '@reprise/nest';
import { createWorker, HealthServer } from '@reprise/worker';

type Offered = Parameters<typeof createWorker>[1];

/** A worker's runtime on one Redis; quiet, with probes on a free port. */
export async function workerRuntime(url: string, settings: Record<string, string> = {}): Promise<Runtime> {
  const env = {
    REDIS_URL: url,
    LOG_LEVEL: 'fatal',
    REPRISE_QUEUES__HEALTH_PORT: '0',
    REPRISE_TELEMETRY__PROCESS_METRICS: 'false',
    ...settings,
  };
  const loaded = loadConfig({ env, cwd: '/nowhere-at-all' });
  if (!loaded.ok) throw new Error(formatProblems(loaded.error));
  return createRuntime(loaded.value, 'worker');
}

export interface StartedWorker {
  readonly runtime: Runtime;
  /** Base URL of its probes. */
  readonly url: string;
  close(): Promise<void>;
}

export async function startWorker(
  url: string,
  settings: Record<string, string> = {},
  offered?: Offered,
): Promise<StartedWorker> {
  const runtime = await workerRuntime(url, settings);
  const worker = await createWorker(runtime, offered);
  return { runtime, url: worker.get(HealthServer).url, close: () => worker.close() };
}

/** Sum of the series of one metric that have all the given labels. */
export function metric(exposition: string, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return exposition
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => wanted.every((pair) => line.includes(pair)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
