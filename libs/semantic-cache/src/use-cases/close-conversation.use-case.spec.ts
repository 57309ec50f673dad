import { describe, expect, it } from 'vitest';
import type { IdleClose } from '../ports/conversation-store.port.js';
import { closeConversations } from './close-conversation.use-case.js';

const idleMs = 16_000;

/** Conversations by the time of their last touch. */
function worldOf(open: Record<string, number>, nowMs: number) {
  const counted: string[] = [];
  const closeIdle = (_ns: string, id: string, now: number, idle: number): Promise<IdleClose> => {
    const touchedMs = open[id];
    if (touchedMs === undefined) return Promise.resolve({ outcome: 'unknown' });
    if (now - touchedMs < idle) return Promise.resolve({ outcome: 'busy', touchedMs });
    delete open[id];
    return Promise.resolve({ outcome: 'closed' });
  };
  const deps = {
    conversations: { closeIdle },
    clock: { nowMs: () => nowMs },
    telemetry: {
      count: (_name: string, labels?: Readonly<Record<string, string>>) => void counted.push(labels?.['outcome'] ?? ''),
      observeMs: () => undefined,
    },
  };
  return { deps, counted, open };
}

const touch = (conversation: string, touchedMs: number) => ({ ns: 'ns', conversation, idleMs, touchedMs });

describe('closeConversations', () => {
  it('closes what is idle and passes over what is gone', async () => {
    const { deps, counted, open } = worldOf({ a: 0, b: 100 }, 16_100);
    expect(await closeConversations(deps, [touch('a', 0), touch('b', 100), touch('gone', 0)])).toBeUndefined();
    expect(open).toEqual({});
    expect(counted).toEqual(['closed', 'closed', 'unknown']);
  });

  it('comes again for one that was touched since, when it may be idle, with the same close', async () => {
    const { deps, counted } = worldOf({ a: 3_000 }, 16_050);
    expect(await closeConversations(deps, [touch('a', 0)])).toEqual({
      conversations: [touch('a', 0)],
      atMs: 3_000 + idleMs + 1_000,
    });
    expect(counted).toEqual(['busy']);
  });

  it('leaves one to the newer close that its later touches have', async () => {
    const { deps, counted, open } = worldOf({ a: 9_000 }, 16_050);
    expect(await closeConversations(deps, [touch('a', 0)])).toBeUndefined();
    expect(counted).toEqual(['covered']);
    expect(open).toEqual({ a: 9_000 });
  });

  it.each([0, 4_000, 8_000])('keeps a close whose last touch is %d ms after it', async (laterMs) => {
    const { deps } = worldOf({ a: 1_000 + laterMs }, 2_000 + laterMs);
    expect(await closeConversations(deps, [touch('a', 1_000)])).toBeDefined();
  });

  it('keeps only what is left of many, for the first of them that is due', async () => {
    const open = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`c${i}`, i % 2 === 0 ? 0 : 2_000 + i]));
    const { deps } = worldOf(open, 16_000);
    const again = await closeConversations(
      deps,
      Array.from({ length: 40 }, (_, i) => touch(`c${i}`, 0)),
    );
    expect(again?.conversations).toHaveLength(20);
    expect(again?.atMs).toBe(2_001 + idleMs + 1_000);
  });

  it('fails when the store fails, so that the job is tried again', async () => {
    const { deps } = worldOf({}, 0);
    const broken = { ...deps, conversations: { closeIdle: () => Promise.reject(new Error('away')) } };
    await expect(closeConversations(broken, [touch('a', 0)])).rejects.toThrow('away');
  });
});
