import type { IdleConversation } from '@reprise/semantic-cache';

export interface TouchBufferLimits {
  /** Conversations that are remembered as scheduled, about 150 bytes each; the oldest are forgotten first. */
  readonly known: number;
  /** Touches that may wait for the next flush; further ones are refused. */
  readonly waiting: number;
}

/**
 * Debounces touches of conversations in process: of many touches within idleMs / 4 only the first is let through.
 *
 * Every touch is thus covered by a scheduled close whose `touchedMs` is at most idleMs / 4 before it, which is what
 * the close relies on when it drops one that a newer close covers (semantic-cache, close-conversation).
 */
export class TouchBuffer {
  private readonly known = new Map<string, number>();
  private waiting: IdleConversation[] = [];

  constructor(private readonly limits: TouchBufferLimits) {}

  /** `new`: it waits for the next {@link take}; `known`: nothing to do; `full`: refused. */
  touch(ns: string, conversation: string, idleMs: number, nowMs: number): 'new' | 'known' | 'full' {
    const key = `${ns}\u0000${conversation}`;
    const last = this.known.get(key);
    if (last !== undefined && nowMs - last < idleMs / 4 && nowMs >= last) return 'known';
    if (this.waiting.length >= this.limits.waiting) return 'full';
    this.known.delete(key);
    this.known.set(key, nowMs);
    if (this.known.size > this.limits.known) this.known.delete(this.known.keys().next().value as string);
    this.waiting.push({ ns, conversation, idleMs, touchedMs: nowMs });
    return 'new';
  }

  get size(): number {
    return this.waiting.length;
  }

  /** Everything that waits, in groups of at most `most` with equal `idleMs`. */
  take(most: number): IdleConversation[][] {
    const groups = new Map<number, IdleConversation[]>();
    const full: IdleConversation[][] = [];
    for (const touch of this.waiting) {
      const group = groups.get(touch.idleMs) ?? [];
      groups.set(touch.idleMs, group);
      group.push(touch);
      if (group.length < most) continue;
      full.push(group);
      groups.delete(touch.idleMs);
    }
    this.waiting = [];
    return [...full, ...groups.values()];
  }

  /** Forgets touches that could not be scheduled, so that the next request of the conversation tries again. */
  forget(touches: readonly IdleConversation[]): void {
    for (const { ns, conversation } of touches) this.known.delete(`${ns}\u0000${conversation}`);
  }
}
