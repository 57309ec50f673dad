import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SseParser, type SseEvent } from './sse-parser.js';

function parse(bytes: Uint8Array, cuts: readonly number[] = []): SseEvent[] {
  const parser = new SseParser();
  const events: SseEvent[] = [];
  let start = 0;
  for (const cut of [...cuts.map((at) => at % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    events.push(...parser.push(bytes.subarray(start, cut)));
    start = Math.max(start, cut);
  }
  return [...events, ...parser.end()];
}

const parseText = (text: string): SseEvent[] => parse(new TextEncoder().encode(text));

describe('SseParser', () => {
  it.each([
    ['line feeds', 'data: a\n\ndata: b\n\n'],
    ['carriage returns with line feeds', 'data: a\r\n\r\ndata: b\r\n\r\n'],
    ['carriage returns', 'data: a\r\rdata: b\r\r'],
    ['a mixture', 'data: a\r\n\ndata: b\n\r\n'],
    ['no space after the colon', 'data:a\n\ndata:b\n\n'],
    ['a byte order mark', '\ufeffdata: a\n\ndata: b\n\n'],
    ['comments and unknown fields', ': ping\ndata: a\nretry: 5\nfoo: x\nbar\n\n: ping\n\ndata: b\n\n'],
  ])('reads %s', (_, text) => {
    expect(parseText(text).map((event) => event.data)).toEqual(['a', 'b']);
  });

  it('joins several data lines and keeps type and id', () => {
    expect(parseText('event: note\nid: 7\ndata: a\ndata:  b\ndata\n\ndata: c\n\n')).toEqual([
      { data: 'a\n b\n', event: 'note', id: '7' },
      { data: 'c', id: '7' },
    ]);
  });

  it.each(['\n', '\r\n', '\r'])('keeps an event of several lines together with line end %j, cut anywhere', (end) => {
    const bytes = new TextEncoder().encode(`event: x${end}data: a${end}data: b${end}${end}data: c${end}${end}`);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(parse(bytes, [cut])).toEqual([{ data: 'a\nb', event: 'x' }, { data: 'c' }]);
    }
  });

  it('drops an event without its closing blank line and says that it was pending', () => {
    const parser = new SseParser();
    expect(parser.push(new TextEncoder().encode('data: a\n\ndata: b\n'))).toHaveLength(1);
    expect(parser.pending).toBe(true);
    expect(parser.end()).toEqual([]);
  });

  it('stops at an event longer than the limit', () => {
    const parser = new SseParser(50);
    const bytes = new TextEncoder().encode(`data: ${'x'.repeat(80)}`);
    expect([...parser.push(bytes), ...parser.push(new TextEncoder().encode('\n\ndata: y\n\n'))]).toEqual([]);
    expect(parser.overflow).toBe(true);
  });

  it('gives what it does not parse, from the event that was too long on, cut anywhere', () => {
    const long = `event: note\ndata: kurz\ndata: ${'é長'.repeat(20)}\n\ndata: y\n\n`;
    const bytes = new TextEncoder().encode(`data: a\n\n${long}`);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const parser = new SseParser(30);
      const events = [...parser.push(bytes.subarray(0, cut))];
      let text = parser.takeUnparsed();
      // A whole event in one piece is one, however long it is: what is bounded is what has to be held.
      events.push(...parser.push(bytes.subarray(cut)), ...parser.end());
      text += parser.takeUnparsed();
      expect(parser.takeUnparsed()).toBe('');
      if (parser.overflow) expect([events.map(({ data }) => data), text]).toEqual([['a'], long]);
      else expect([events.length, text]).toEqual([3, '']);
    }
  });

  it('gives the same events wherever the bytes are cut', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, ''));
    const newline = fc.constantFrom('\n', '\r\n', '\r');
    const part = fc.oneof(
      fc.tuple(fc.constantFrom('data: ', 'data:', 'event: ', ': ', 'id: ', ''), line, newline),
      fc.tuple(fc.constant(''), fc.constant(''), newline),
    );
    const stream = fc.array(part, { maxLength: 30 }).map((parts) => parts.map((pieces) => pieces.join('')).join(''));
    fc.assert(
      fc.property(stream, fc.array(fc.nat(2_000), { maxLength: 60 }), (text, cuts) => {
        const bytes = new TextEncoder().encode(text);
        expect(parse(bytes, cuts)).toEqual(parse(bytes));
      }),
      { numRuns: 500 },
    );
  });

  it('agrees with a plain reading of whole well-formed streams', () => {
    const data = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replace(/[\r\n\ufeff]/g, '.'));
    fc.assert(
      fc.property(fc.array(fc.array(data, { minLength: 1, maxLength: 3 }), { maxLength: 10 }), (events) => {
        const text = events.map((lines) => lines.map((line) => `data: ${line}\r\n`).join('') + '\r\n').join('');
        expect(parseText(text).map((event) => event.data)).toEqual(events.map((lines) => lines.join('\n')));
      }),
    );
  });
});
