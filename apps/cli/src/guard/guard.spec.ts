import { describe, expect, it } from 'vitest';
import { run } from '../run.js';
import { recordedIo } from '../testing.js';

async function guard(argv: readonly string[], env: Record<string, string> = {}) {
  const io = recordedIo({ env });
  const code = await run(['guard', ...argv], io);
  return { code, ...io.written };
}

describe('guard', () => {
  it('says that a paraphrase is served, and by what', async () => {
    const { code, out } = await guard([
      'How do I reset my password?',
      'How can I reset my password?',
      '--cosine',
      '.98',
    ]);
    expect(code).toBe(0);
    expect(out).toMatch(/^serve: (same-words|aligned) \(cosine 0\.980\)\n/);
  });

  it('names the reason of a refusal, also with exit code 0', async () => {
    const { code, out } = await guard([
      'How do I add 5 items to my basket?',
      'How do I add 6 items to my basket?',
      '--cosine',
      '.99',
    ]);
    expect(code).toBe(0);
    expect(out).toMatch(/^refuse: number /);
  });

  it('takes texts that begin with a dash after --', async () => {
    const { code, out } = await guard(['--cosine', '1', '--', '-5 degrees', '-5 degrees']);
    expect(code).toBe(0);
    expect(out).toMatch(/^serve: equal /);
  });

  it('obeys the configuration', async () => {
    const texts = ['How do I reset my password?', 'How can I reset my password?', '--cosine', '.88'];
    const env = { REPRISE_CACHE__STRICT_SIMILARITY__MIN_COSINE: '.995' };
    expect((await guard(texts)).out).toMatch(/^serve/);
    // Same words need less than `aligned`, so only a bar for all is a bar for them.
    expect(
      (
        await guard(['How do I add 5 items to my basket?', 'How do I add 6 items to my basket?', '--cosine', '.99'], {
          REPRISE_CACHE__GUARDS__DISABLED: 'number',
        })
      ).out,
    ).not.toMatch(/^refuse: number/);
    expect((await guard([...texts.slice(0, 2), '--cosine', '.5'], env)).out).toMatch(/^refuse: cosine/);
  });

  it('as JSON has everything the decision rests on', async () => {
    const { out } = await guard([
      'How do I add 5 items to my basket?',
      'How do I add 6 items to my basket?',
      '--cosine',
      '.99',
      '--json',
    ]);
    expect(JSON.parse(out)).toMatchObject({ cosine: 0.99, verdict: { serve: false, reason: 'number' }, a: {}, b: {} });
  });

  it('without a model asks for the cosine', async () => {
    const { code, err } = await guard(['a text', 'b text'], { REPRISE_MODEL_DIR: '/nowhere' });
    expect(code).toBe(1);
    expect(err).toMatch(/embedding model is missing[^]*--cosine/);
  });
});
