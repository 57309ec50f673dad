import { describe, expect, it } from 'vitest';
import type { ChatRequest } from './chat-request.js';
import { bypassReason, exactOnlyReason } from './classify.js';

const limits = { jsonDepth: 20, maxMessages: 10 };
const asks = (content: unknown, more: object = {}): ChatRequest => ({
  model: 'm',
  messages: [{ role: 'user', content: content as string }],
  ...more,
});
const part = (value: object): ChatRequest => asks([{ type: 'text', text: 'look' }, value]);

describe('what is never cached', () => {
  it.each([
    ['multiple-choices', asks('x', { n: 2 })],
    ['stored-upstream', asks('x', { store: true })],
    ['live-search', asks('x', { web_search_options: {} })],
    ['audio-output', asks('x', { modalities: ['text', 'audio'] })],
    ['media-by-reference', part({ type: 'image_url', image_url: { url: 'https://example.test/a.png' } })],
    ['media-by-reference', part({ type: 'file', file: { file_id: 'f1' } })],
    ['unknown-content', part({ type: 'hologram' })],
    ['ill-formed-text', asks('\ud83d alone')],
    ['ill-formed-text', asks('x', { tools: [{ '\udc00': 1 }] })],
    ['inexact-number', asks('x', JSON.parse('{"seed": 9007199254740993}') as object)],
    ['inexact-number', asks('x', { tools: [{ limit: 1e300 }] })],
    ['too-many-messages', { model: 'm', messages: Array.from({ length: 11 }, () => ({ role: 'user', content: 'x' })) }],
  ])('%s', (reason, request) => {
    expect(bypassReason(request, limits)).toBe(reason);
  });

  it('nesting too deep, however deep, without using the stack', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
    expect(bypassReason(asks('x', { metadata: deep }), limits)).toBe('too-deep');
  });

  it.each([
    asks('x'),
    asks('x', { n: 1, store: false, modalities: ['text'] }),
    part({ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }),
  ])('lets the rest through (%#)', (request) => {
    expect(bypassReason(request, limits)).toBeUndefined();
  });
});

describe('what only the exact tier answers', () => {
  it.each([
    ['tool-turn', { model: 'm', messages: [{ role: 'tool', content: 'done' }] }],
    ['no-text', { model: 'm', messages: [{ role: 'assistant', content: 'hi' }] }],
    ['no-text', asks('')],
    ['no-text', asks([])],
    ['no-words', asks(' \n\t ')],
    ['no-words', asks('🙂🙃')],
    ['no-words', asks('\u200b\u200d')],
    ['no-words', asks('?!')],
    ['media', part({ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } })],
    ['logprobs', asks('x', { logprobs: true })],
    ['too-long', asks('word '.repeat(100))],
  ])('%s', (reason, request) => {
    expect(exactOnlyReason(request as ChatRequest, 100)).toBe(reason);
  });

  it.each(['hello', 'مرحبا', '你好', '7', 'x'])('looks at %s', (text) => {
    expect(exactOnlyReason(asks(text), 100)).toBeUndefined();
  });
});
