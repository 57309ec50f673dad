import { Writable } from 'node:stream';
import type { LogLevel } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import { boundLog, createLog } from './create-log.js';
import { prettyLine } from './pretty.js';

function captured(level: LogLevel = 'info', pretty = false) {
  const lines: string[] = [];
  const out = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(...chunk.toString().split('\n').filter(Boolean));
      done();
    },
  });
  const { log, flush } = createLog({ level, name: 'gateway', out, pretty });
  return { log, flush, lines, json: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('createLog', () => {
  it('writes one JSON line with level, name, message and fields', () => {
    const { log, json } = captured();
    log.write('warn', 'embedder away', { mode: 'exact-only', tries: 3 });
    expect(json()).toEqual([
      expect.objectContaining({ level: 40, name: 'gateway', msg: 'embedder away', mode: 'exact-only', tries: 3 }),
    ]);
  });

  it.each([
    ['warn', ['fatal', 'error', 'warn']],
    ['trace', ['fatal', 'error', 'warn', 'info', 'debug', 'trace']],
    ['fatal', ['fatal']],
  ] as const)('at level %s writes %j', (level, written) => {
    const { log, json } = captured(level);
    for (const l of ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const) log.write(l, l);
    expect(json().map((line) => line['msg'])).toEqual(written);
  });

  it("adds the bound fields of a request; the line's own are stronger", () => {
    const { log, json } = captured();
    const request = boundLog(boundLog(log, { requestId: 'r1', route: '/a' }), { route: '/b' });
    request.write('info', 'one');
    request.write('info', 'two', { route: '/c', status: 200 });
    expect(json()).toMatchObject([
      { msg: 'one', requestId: 'r1', route: '/b' },
      { msg: 'two', requestId: 'r1', route: '/c', status: 200 },
    ]);
  });

  it('a field that cannot be written as JSON does not throw', () => {
    const { log, json } = captured();
    const circle: Record<string, unknown> = { a: 1n, f: () => 1 };
    circle['self'] = circle;
    log.write('info', 'odd', { circle, big: 12n, missing: undefined, date: new Date(0) });
    expect(json()[0]).toMatchObject({ msg: 'odd', big: '12', date: '1970-01-01T00:00:00.000Z' });
  });

  it('lines for people have time, level, message and fields', () => {
    const { log, lines } = captured('info', true);
    log.write('error', 'it broke', { code: 'X', list: [1] });
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} error it broke code=X list=\[1\]$/);
  });

  it.each(['', 'no json', '{"a":'])('prettyLine leaves %j as it is', (text) => {
    expect(prettyLine(text)).toBe(text);
  });
});
