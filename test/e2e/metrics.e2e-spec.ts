import { describe, expect, it } from 'vitest';
import { metric } from './support/admin.js';
import { ask, chat, ownSpace } from './support/chat.js';
import { suite } from './support/suite.js';

const s = suite();

describe('/metrics', () => {
  it('tells the figures of the embedder', async () => {
    const read = async (name: string): Promise<number> => (await metric(s.url, name)).get('') ?? NaN;
    expect(await read('reprise_embed_workers')).toBeGreaterThan(0);
    expect(await read('reprise_embed_queue')).toBe(0);
    const before = [await read('reprise_embed_cache_entries'), await read('reprise_embed_cache_bytes')] as const;
    for (const question of ['Where is my parcel?', 'Wo ist mein Paket?', '荷物はどこですか？'])
      await chat(s.url, ask(question), ownSpace('metrics'));
    const added = (await read('reprise_embed_cache_entries')) - before[0];
    // Three questions, and those of their answers whose dossier is made by now.
    expect(added).toBeGreaterThanOrEqual(3);
    expect(added).toBeLessThanOrEqual(6);
    expect(await read('reprise_embed_cache_bytes')).toBeGreaterThan(before[1] + 3 * 384 * 4);
  });

  it('a start on a Redis that is there says nothing of a Redis that is down', async () => {
    expect(s.gateways[0]?.log).not.toContain('counts as down');
    expect([...(await metric(s.url, 'reprise_store_down_total')).values()].filter((count) => count > 0)).toEqual([]);
  });
});

describe('/readyz', () => {
  it('is ready, and hints at an error budget that nobody can learn', async () => {
    const said = (await (await fetch(`${s.url}/readyz`)).json()) as { hints?: string[] };
    expect(said).toMatchObject({ status: 'ready', degraded: [] });
    expect(said.hints).toEqual([expect.stringContaining('judge.model')]);
  });
});
