import type { Clock, Telemetry } from '@reprise/kernel';
import type { ConversationStore } from '../ports/conversation-store.port.js';
import type { IdleConversation } from '../ports/job-producer.port.js';

export interface CloseDependencies {
  readonly conversations: Pick<ConversationStore, 'closeIdle'>;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** Closes that are to be tried again at `atMs`. */
export interface CloseAgain {
  readonly conversations: readonly IdleConversation[];
  readonly atMs: number;
}

const parallel = 16;

/**
 * Closes scheduled conversations that have been idle; undefined when nothing is left to do.
 *
 * One that was touched since comes again when it may be idle, unless a newer close covers it: every touch has a close
 * that was scheduled at most idleMs / 4 before it (libs/queues, TouchBuffer). A last touch later than idleMs / 2 is
 * therefore another close's business; the other quarter is for clocks that are read a moment apart. Safe to run
 * twice. Throws when the store cannot be reached.
 */
export async function closeConversations(
  deps: CloseDependencies,
  scheduled: readonly IdleConversation[],
): Promise<CloseAgain | undefined> {
  const again: IdleConversation[] = [];
  let atMs = Infinity;
  for (let i = 0; i < scheduled.length; i += parallel) {
    const chunk = scheduled.slice(i, i + parallel);
    const dues = await Promise.all(chunk.map((one) => closeOne(deps, one)));
    dues.forEach((dueMs, at) => {
      const one = chunk[at];
      if (dueMs === undefined || one === undefined) return;
      again.push(one);
      // A little later than the first of them, so that one run takes many.
      atMs = Math.min(atMs, dueMs + Math.ceil(one.idleMs / 16));
    });
  }
  return again.length === 0 ? undefined : { conversations: again, atMs };
}

/** When to look again; undefined when it is closed or covered. */
async function closeOne(deps: CloseDependencies, one: IdleConversation): Promise<number | undefined> {
  const closed = await deps.conversations.closeIdle(one.ns, one.conversation, deps.clock.nowMs(), one.idleMs);
  const covered = closed.outcome === 'busy' && closed.touchedMs - one.touchedMs > one.idleMs / 2;
  deps.telemetry.count('reprise_conversation_closes_total', { outcome: covered ? 'covered' : closed.outcome });
  return closed.outcome === 'busy' && !covered ? closed.touchedMs + one.idleMs : undefined;
}
