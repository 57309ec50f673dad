import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { reasons } from './reasons.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const known = new Set(Object.keys(reasons));

/** Sources of the places that give reasons, without tests. */
function sources(...folders: string[]): string[] {
  return folders.flatMap((folder) => {
    const dir = join(root, folder);
    if (!existsSync(dir)) throw new Error(`${folder} is gone: this test looks for reason words there`);
    return readdirSync(dir, { recursive: true })
      .map(String)
      .filter((file) => file.endsWith('.ts') && !/\.(spec|gen)\.ts$/.test(file))
      .map((file) => readFileSync(join(dir, file), 'utf8'));
  });
}

const words = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? '');

/** Words that are only compared with, and types of JSON Schema, are no reasons. */
const withoutComparisons = (text: string): string => text.replace(/(?:[!=]==|\btype:) '[^']*'/g, '');

/** Members of `type Name = 'a' | 'b'`. */
function union(text: string, name: string): string[] {
  const body = new RegExp(`type ${name} =([^;]+);`).exec(text)?.[1];
  if (body === undefined) throw new Error(`type ${name} is gone: this test reads its members`);
  return words(body, /'([a-z-]+)'/g);
}

const core = sources('libs/semantic-cache/src');
const policy = sources('libs/policy/src/decision', 'libs/policy/src/guards');
const gateway = sources('apps/gateway/src');
const coreText = core.join('\n');

describe('the table of reasons', () => {
  it('has every word that requests are classified with', () => {
    const used = [...union(coreText, 'BypassReason'), ...union(coreText, 'ExactOnlyReason')];
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter((word) => !known.has(word))).toEqual([]);
  });

  it('has every word of the decision and its guards', () => {
    const text = policy.join('\n');
    const used = [...union(text, 'GuardReason'), ...union(text, 'NoServeReason')];
    expect(used.length).toBeGreaterThan(20);
    expect(used.filter((word) => !known.has(word))).toEqual([]);
  });

  it('has every word that use-cases and gateway write down', () => {
    // Reasons of the embedder come out as embedder-…; the next test but one has them.
    const text = withoutComparisons([...core, ...gateway].join('\n'))
      .replace(/type EmbedOutcome =[^]*?\};/, '')
      // Why an answer is not stored has a metric of its own.
      .replace(/'reprise_not_storable_total', \{[^}]*\}/g, '')
      .replace(/\{ ok: false, reason: '[a-z-]+' \}/g, '');
    const given = words(text, /\breason(?:: | = )([^,;}\n]+)/g).join('\n');
    const used = [...words(given, /'([a-z-]+)'/g), ...words(text, /\bbypass\('([a-z-]+)'/g)];
    expect(used).toEqual(expect.arrayContaining(['no-cache', 'mode-no-read', 'single-flight', 'no-store']));
    expect([...new Set(used)].filter((word) => !known.has(word))).toEqual([]);
  });

  it('has every word that a reason function returns', () => {
    // A body ends at the brace that stands as far in as its head.
    const bodies = coreText.match(/\n( {0,2})(?:private |export )*(?:function )?\w*[rR]eason\w*\([^]*?\n\1\}/g) ?? [];
    const returned = words(withoutComparisons(bodies.join('\n')), /\breturn ([^;]+);/g).join('\n');
    const used = words(returned, /'([a-z-]+)'/g);
    expect(used).toEqual(
      expect.arrayContaining(['cache-unavailable', 'temperature', 'embedder-unavailable', 'no-text']),
    );
    expect([...new Set(used)].filter((word) => !known.has(word))).toEqual([]);
  });

  it("has every failure of the embedder and of the store's last check", () => {
    const embedder = words(/type EmbedOutcome =[^]*?reason: ([^;}]+)/.exec(coreText)?.[1] ?? '', /'([a-z-]+)'/g);
    const failures = embedder.map((word) => (word === 'too-long' || word === 'empty' ? word : `embedder-${word}`));
    const refusals = words(/type ServeReply =([^;]+;[^;]+);/.exec(coreText)?.[1] ?? '', /'([a-z-]+)'/g);
    expect(failures).toContain('embedder-timeout');
    expect(refusals).toContain('gone');
    const used = [...failures, ...refusals.filter((word) => word !== 'served')];
    expect(used.filter((word) => !known.has(word))).toEqual([]);
  });

  it('has no word that nothing uses', () => {
    const all = [...core, ...policy, ...gateway].join('\n');
    const inCode = (word: string): boolean =>
      all.includes(`'${word}'`) || (word.startsWith('embedder-') && all.includes(`'${word.slice(9)}'`));
    expect([...known].filter((word) => !inCode(word))).toEqual([]);
  });
});
