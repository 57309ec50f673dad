import { describe, expect, it } from 'vitest';
import { contractSuite } from './contract-suite.js';
import { hourMs, nowMs, type OpenStore } from './store-under-test.js';

/** What every ConversationStore does (architecture.md §3.3). */
export function conversationStoreContract(name: string, open: OpenStore): void {
  describe(`${name}: conversations`, () => {
    const suite = contractSuite(open);
    const join = async (head: string, fresh: string, at = nowMs) =>
      (await suite.store.conversations.join(suite.ns, head, fresh, at, hourMs)).id;
    const advance = (conversation: string, head: string, at = nowMs) =>
      suite.store.conversations.advance(suite.ns, conversation, head, at, hourMs);

    it('joins the conversation whose head the history equals', async () => {
      expect(await join('start', 'c1')).toBe('c1');
      await advance('c1', 'h1');
      expect(await join('h1', 'c2')).toBe('c1');
      await advance('c1', 'h2');
      expect(await join('h2', 'c3')).toBe('c1');
    });

    it('opens a fork for a second request with the same history', async () => {
      await join('start', 'c1');
      await advance('c1', 'h1');
      expect(await join('h1', 'fork')).toBe('c1');
      expect(await join('h1', 'fork')).toBe('fork');
      await advance('c1', 'h2a');
      await advance('fork', 'h2b');
      expect(await join('h2a', 'x')).toBe('c1');
      expect(await join('h2b', 'x')).toBe('fork');
    });

    it('keeps equal conversations of two callers apart', async () => {
      await join('start', 'c1');
      await join('start', 'c2');
      await advance('c1', 'same');
      await advance('c2', 'same');
      const taken = [await join('same', 'c3'), await join('same', 'c3')];
      expect(taken.sort()).toEqual(['c1', 'c2']);
      expect(await join('same', 'c3')).toBe('c3');
    });

    it('waits at its newest head only', async () => {
      await join('start', 'c1');
      await advance('c1', 'h1');
      await advance('c1', 'h2');
      expect(await join('h1', 'new')).toBe('new');
      expect(await join('h2', 'new2')).toBe('c1');
    });

    it('ends a conversation once', async () => {
      await join('start', 'c1');
      await advance('c1', 'h1');
      expect(await suite.store.conversations.close(suite.ns, 'c1')).toBe(true);
      expect(await suite.store.conversations.close(suite.ns, 'c1')).toBe(false);
      expect(await join('h1', 'c2')).toBe('c2');
    });

    it('ends only what has been idle for long enough', async () => {
      const idle = (at: number) => suite.store.conversations.closeIdle(suite.ns, 'c1', at, hourMs);
      expect(await idle(nowMs)).toEqual({ outcome: 'unknown' });
      await join('start', 'c1');
      await advance('c1', 'h1', nowMs + 1000);
      expect(await idle(nowMs + hourMs)).toEqual({ outcome: 'busy', touchedMs: nowMs + 1000 });
      expect(await idle(nowMs + hourMs + 1000)).toEqual({ outcome: 'closed' });
      expect(await idle(nowMs + hourMs + 1000)).toEqual({ outcome: 'unknown' });
    });

    it('does not join a conversation that was idle for too long', async () => {
      await join('start', 'c1');
      await advance('c1', 'h1');
      expect(await join('h1', 'c2', nowMs + hourMs)).toBe('c2');
    });
  });
}
