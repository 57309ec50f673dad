import type { ConversationStore, IdleClose, JoinedConversation } from '@reprise/semantic-cache';
import { conversationAdvanceScript } from '../generated/conversation-advance.gen.js';
import { conversationCloseIdleScript } from '../generated/conversation-close-idle.gen.js';
import { conversationCloseScript } from '../generated/conversation-close.gen.js';
import { conversationJoinScript } from '../generated/conversation-join.gen.js';
import { conversationPinnedScript } from '../generated/conversation-pinned.gen.js';
import type { ScriptRunner } from '../scripts/script-runner.js';

/** Conversations and the heads at which they wait. */
export class RedisConversationStore implements ConversationStore {
  constructor(private readonly runner: ScriptRunner) {}

  async join(ns: string, head: string, fresh: string, nowMs: number, idleMs: number): Promise<JoinedConversation> {
    const reply = await this.runner.run(conversationJoinScript, ns, { head, fresh, nowMs, idleMs });
    return { id: reply.conversation, snapshot: reply.snapshot };
  }

  async pinned(ns: string, conversation: string): Promise<number | undefined> {
    return (await this.runner.run(conversationPinnedScript, ns, { conversation })).snapshot;
  }

  async advance(
    ns: string,
    conversation: string,
    nextHead: string,
    nowMs: number,
    idleMs: number,
    snapshot = 0,
  ): Promise<void> {
    await this.runner.run(conversationAdvanceScript, ns, { conversation, nextHead, snapshot, nowMs, idleMs });
  }

  async close(ns: string, conversation: string): Promise<boolean> {
    return (await this.runner.run(conversationCloseScript, ns, { conversation })).status === 'ok';
  }

  async closeIdle(ns: string, conversation: string, nowMs: number, idleMs: number): Promise<IdleClose> {
    const reply = await this.runner.run(conversationCloseIdleScript, ns, { conversation, nowMs, idleMs });
    if (reply.status === 'open') return { outcome: 'busy', touchedMs: reply.touchedMs ?? nowMs };
    return { outcome: reply.status === 'ok' ? 'closed' : 'unknown' };
  }
}
