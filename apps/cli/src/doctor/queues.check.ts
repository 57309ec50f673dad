import type { AppConfig } from '@reprise/config';
import { type DeadLetters, deadLetters, queueAddress } from '@reprise/queues';
import type { Io } from '../io.js';
import { type Finding, fine, warn } from './finding.js';
import { redisUrlsOf } from './redis-url.js';

const NAME = 'dead letters';

/** Jobs that failed for good; asked only when Redis answers. */
export async function checkQueues(config: AppConfig, io: Io): Promise<Finding> {
  const [url = ''] = redisUrlsOf(config, io);
  const found = await deadLetters({ ...queueAddress({ ...config.redis, url }), prefix: config.queues.prefix });
  return found.ok
    ? judgeDeadLetters(found.value)
    : warn(NAME, 'the queues do not answer', 'Look whether Redis is busy, then run doctor again.');
}

export function judgeDeadLetters({ total, counts, newest }: DeadLetters): Finding {
  if (total === 0) return fine(NAME, 'none');
  const queues = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([queue, count]) => `${queue} ${count}`);
  const [last] = newest;
  return warn(
    NAME,
    `${queues.join(', ')}${last === undefined ? '' : `; the newest is ${last.job}: ${last.reason}`}`,
    'Remove the cause and retry them, or let them expire after a week.',
  );
}
