import { describe, expect, it } from 'vitest';
import { StreamSplice } from './stream-splice.js';

const chunk = (content: string, more: object = {}): string =>
  JSON.stringify({ id: 'theirs', created: 1, choices: [{ index: 0, delta: { content, ...more } }] });
const role = JSON.stringify({ id: 'theirs', choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] });
const end = JSON.stringify({ id: 'theirs', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
const textOf = (events: (string | undefined)[]): string =>
  events
    .filter((event) => event !== undefined && event !== '')
    .map(
      (event) =>
        (JSON.parse((event as string).slice(6)) as { choices: { delta: { content?: string } }[] }).choices[0]?.delta
          .content ?? '',
    )
    .join('');

describe('a stream that goes on from another leader', () => {
  it('swallows what was sent and goes on at the right character', () => {
    const splice = new StreamSplice('mine', 7);
    const before = [role, chunk('Your parcel '), chunk('is on')].map((data) => splice.next(data));
    splice.restart();
    const after = [role, chunk('Your '), chunk('parcel is on its way'), chunk('.'), end].map((data) =>
      splice.next(data),
    );
    expect(textOf(before) + textOf(after)).toBe('Your parcel is on its way.');
    expect(after.at(-1)).toContain('"finish_reason":"stop"');
  });

  it('gives every chunk one id and one time', () => {
    const splice = new StreamSplice('mine', 7);
    expect(JSON.parse((splice.next(chunk('x')) as string).slice(6))).toMatchObject({ id: 'mine', created: 7 });
  });

  it.each([
    ['another text', chunk('Another')],
    ['a shorter answer', end],
    ['a tool call in its place', chunk('', { tool_calls: [{ index: 0 }] })],
  ])('refuses %s', (_name, data) => {
    const splice = new StreamSplice('mine', 7);
    splice.next(chunk('Your parcel'));
    splice.restart();
    expect(splice.next(data)).toBeUndefined();
  });

  it('cannot go on after anything but text', () => {
    const splice = new StreamSplice('mine', 7);
    splice.next(chunk('x', { reasoning_content: 'hm' }));
    splice.restart();
    expect(splice.next(chunk('x'))).toBeUndefined();
  });

  it('says the role and the end once', () => {
    const splice = new StreamSplice('mine', 7);
    for (const data of [role, chunk('x'), end]) splice.next(data);
    expect(splice.finished).toBe(true);
    splice.restart();
    expect([role, chunk('x'), end].map((data) => splice.next(data))).toEqual(['', '', '']);
    const other = new StreamSplice('mine', 7);
    other.next(role);
    other.restart();
    expect(other.next(role)).toBe('');
    expect(other.next(chunk('x'))).toContain('"content":"x"');
    expect(other.next(end)).toContain('"stop"');
  });

  it('lets the usage through', () => {
    const splice = new StreamSplice('mine', 7);
    splice.next(chunk('x'));
    splice.restart();
    splice.next(chunk('x'));
    expect(splice.next(JSON.stringify({ choices: [], usage: { total_tokens: 1 } }))).toContain('"total_tokens":1');
  });

  it('begins anew when nothing was sent', () => {
    const splice = new StreamSplice('mine', 7);
    splice.restart();
    expect(splice.started).toBe(false);
    expect(textOf([splice.next(chunk('whole'))])).toBe('whole');
  });

  it('goes on from a repetition also once no further stream will begin', () => {
    const splice = new StreamSplice('mine', 7);
    splice.next(chunk('Your parcel'));
    splice.restart();
    splice.next(chunk('Your '));
    splice.settle();
    const after = [chunk('parcel is'), chunk(' on its way'), end].map((data) => splice.next(data));
    expect(textOf(after)).toBe(' is on its way');
    expect(splice.finished).toBe(true);
  });

  it('refuses another text also then', () => {
    const splice = new StreamSplice('mine', 7);
    splice.next(chunk('Your parcel'));
    splice.restart();
    splice.settle();
    expect(splice.next(chunk('My parcel'))).toBeUndefined();
  });
});
