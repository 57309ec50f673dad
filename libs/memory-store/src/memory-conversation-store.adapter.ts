import type { ConversationStore, IdleClose, JoinedConversation } from '@reprise/semantic-cache';
import { checkNamespaceName } from './check-namespace-name.js';
import type { MemoryState, NamespaceState } from './namespace-state.js';

/** Equal conversations of many callers wait at one head: the newest of them do. */
const mostWaiting = 64;

/** Conversations and the heads at which they wait. */
export class MemoryConversationStore implements ConversationStore {
  constructor(private readonly state: MemoryState) {}

  async join(ns: string, head: string, fresh: string, nowMs: number, idleMs: number): Promise<JoinedConversation> {
    const space = this.open(ns);
    const inForce = space.risk.snapshot?.version ?? 0;
    const waiting = space.waiting.get(head) ?? [];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const conversation = space.conversations.get(id);
      if (conversation?.head !== head || nowMs - conversation.seenMs >= idleMs) continue;
      const { snapshot = inForce } = conversation;
      space.conversations.set(id, { ...conversation, head: '', seenMs: nowMs, snapshot });
      return { id, snapshot };
    }
    const { snapshot = inForce, ...known } = space.conversations.get(fresh) ?? {};
    space.conversations.set(fresh, { ...known, head: '', seenMs: nowMs, snapshot });
    space.count('conversation_opened');
    return Promise.resolve({ id: fresh, snapshot });
  }

  async pinned(ns: string, conversation: string): Promise<number | undefined> {
    return Promise.resolve(this.open(ns).conversations.get(conversation)?.snapshot);
  }

  async advance(
    ns: string,
    conversation: string,
    nextHead: string,
    nowMs: number,
    _idleMs: number,
    snapshot = 0,
  ): Promise<void> {
    const space = this.open(ns);
    unwait(space, conversation);
    const known = { snapshot, ...space.conversations.get(conversation) };
    space.conversations.set(conversation, { ...known, head: nextHead, seenMs: nowMs });
    const waiting = [...(space.waiting.get(nextHead) ?? []), conversation];
    space.waiting.set(nextHead, waiting.slice(-mostWaiting));
    return Promise.resolve();
  }

  async close(ns: string, conversation: string): Promise<boolean> {
    return Promise.resolve(closeConversation(this.open(ns), conversation));
  }

  async closeIdle(ns: string, conversation: string, nowMs: number, idleMs: number): Promise<IdleClose> {
    const space = this.open(ns);
    const known = space.conversations.get(conversation);
    if (!known) return { outcome: 'unknown' };
    if (nowMs - known.seenMs < idleMs) return { outcome: 'busy', touchedMs: known.seenMs };
    closeConversation(space, conversation);
    return Promise.resolve({ outcome: 'closed' });
  }

  private open(ns: string): NamespaceState {
    checkNamespaceName(ns);
    return this.state.namespace(ns);
  }
}

function unwait(space: NamespaceState, conversation: string): void {
  const head = space.conversations.get(conversation)?.head ?? '';
  const waiting = space.waiting.get(head);
  if (!waiting) return;
  const left = waiting.filter((id) => id !== conversation);
  if (left.length > 0) space.waiting.set(head, left);
  else space.waiting.delete(head);
}

/** True when it was open. */
export function closeConversation(space: NamespaceState, conversation: string): boolean {
  unwait(space, conversation);
  if (space.conversations.get(conversation)?.labelled === true) space.risk.ended(conversation);
  return space.conversations.delete(conversation);
}
