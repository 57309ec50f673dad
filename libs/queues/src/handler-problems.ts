import { jobTable } from './job-table.js';

/** What a processor offers: the queue that it works on, and a function per job name. */
export interface QueueHandlers {
  readonly queue: string;
  readonly handlers: Readonly<Record<string, unknown>>;
}

/** What is wrong between the job table and the handlers, in words; empty when every job name has exactly one handler. */
export function handlerProblems(
  offered: readonly QueueHandlers[],
  table: Readonly<Record<string, { readonly jobs: Readonly<Record<string, unknown>> }>> = jobTable,
): string[] {
  const expected = Object.entries(table).flatMap(([queue, { jobs }]) =>
    Object.keys(jobs).map((job) => `${queue}/${job}`),
  );
  const found = new Map<string, number>();
  for (const { queue, handlers } of offered)
    for (const job of Object.keys(handlers)) found.set(`${queue}/${job}`, (found.get(`${queue}/${job}`) ?? 0) + 1);
  return [
    ...expected.filter((name) => !found.has(name)).map((name) => `job ${name} has no handler`),
    ...[...found].filter(([, times]) => times > 1).map(([name, times]) => `job ${name} has ${times} handlers`),
    ...[...found.keys()].filter((name) => !expected.includes(name)).map((name) => `job ${name} is in no table`),
  ];
}
