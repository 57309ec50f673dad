import type { GhostAdvance, GhostPage, GhostStore, OutcomeEvent } from '@reprise/semantic-cache';
import { ghostsReadScript } from '../generated/ghosts-read.gen.js';
import { ghostsWriteScript } from '../generated/ghosts-write.gen.js';
import type { ScriptRunner } from '../scripts/script-runner.js';

/** Divides the representatives of one event (lua/includes/events.lua). */
const divider = '\u001f';

/** Event stream and ghosts' state on Redis: both in the namespace's slot. */
export class RedisGhostStore implements GhostStore {
  constructor(
    private readonly runner: ScriptRunner,
    private readonly timeoutMs: number,
  ) {}

  async read(ns: string, after: string | undefined, count: number): Promise<GhostPage> {
    const from = after === 'oldest' ? '-' : (after ?? '');
    const reply = await this.runner.run(ghostsReadScript, ns, { after: from, count }, { timeoutMs: this.timeoutMs });
    const { on, fixed, eviction, configured, capacity, position, state } = reply;
    const events = reply.events.map((event) => ({
      ...event,
      kind: event.kind as OutcomeEvent['kind'],
      representatives: event.representatives === '' ? [] : event.representatives.split(divider),
    }));
    return { on, fixed, eviction, configured, capacity, position, state, events };
  }

  async advance(ns: string, advance: GhostAdvance): Promise<boolean> {
    const args = { ...advance, losses: JSON.stringify(advance.losses), to: advance.to ?? '' };
    const reply = await this.runner.run(ghostsWriteScript, ns, args, { timeoutMs: this.timeoutMs });
    return reply.status === 'ok';
  }
}
