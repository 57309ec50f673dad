import { describe, expect, it } from 'vitest';
import { bar, createBoard, formatBytes } from './progress.mjs';

function written(isTTY: boolean, columns = 80) {
  const text: string[] = [];
  let nowMs = 0;
  const stream = { isTTY, columns, write: (piece: string) => void text.push(piece) };
  return { text, board: createBoard({ stream, now: () => (nowMs += 1_000) }) };
}

describe('the progress board', () => {
  it('prints one line per tenth where there is no terminal', () => {
    const { text, board } = written(false);
    const task = board.task('thing');
    for (let done = 0; done <= 1_000_000; done += 25_000) task.update(done, 1_000_000);
    task.end();
    expect(text.length).toBe(10);
    expect(text[0]).toBe('thing: 10 % of 1.0 MB\n');
    expect(text[9]).toBe('thing: 100 % of 1.0 MB\n');
  });

  it('redraws one line on a terminal, within its width, and puts sentences above it', () => {
    const { text, board } = written(true, 40);
    const task = board.task('a thing with a rather long name that does not fit');
    task.update(500, 1_000);
    board.say('hello');
    task.end();
    expect(text.every((piece) => !piece.includes('\n') || piece === 'hello\n')).toBe(true);
    const bars = text.filter((piece) => piece.startsWith('\r\x1b[2K') && piece.length > 5);
    expect(bars.length).toBeGreaterThan(0);
    expect(Math.max(...bars.map((piece) => piece.length - '\r\x1b[2K'.length))).toBeLessThan(40);
    expect(text.at(-1)).toBe('\r\x1b[2K');
  });

  it('never shows more than all of it', () => {
    const { text, board } = written(false);
    board.task('thing', { unit: 'steps' }).update(30, 20);
    expect(text).toEqual(['thing: 100 % of 20\n']);
  });

  it('formats sizes and bars', () => {
    expect(formatBytes(999)).toBe('999 B');
    expect(formatBytes(83_506_384)).toBe('83.5 MB');
    expect(bar(0.5, 4)).toBe('[##--]');
    expect(bar(7, 4)).toBe('[####]');
  });
});
