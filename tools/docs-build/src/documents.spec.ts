import { reasons, requestHeaders, responseHeaders } from '@reprise/contracts';
import { errorCodes } from '@reprise/kernel';
import { describe, expect, it } from 'vitest';
import { documents } from './documents.js';

const pageOf = (path: string): string => {
  const document = documents.find((candidate) => candidate.path === path);
  if (document === undefined) throw new Error(`no document ${path}`);
  return document.make('<!-- configuration:begin -->\n<!-- configuration:end -->');
};

/** Words of the first column that stand in backticks. */
const rowsOf = (page: string): string[] => [...page.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1] ?? '');

describe('generated documents', () => {
  it('have a row for every error code', () => {
    expect(rowsOf(pageOf('docs/reference/errors.md'))).toEqual(Object.keys(errorCodes));
  });

  it('have a row for every reason word, each in one section', () => {
    expect(rowsOf(pageOf('docs/reference/reasons.md')).sort()).toEqual(Object.keys(reasons).sort());
  });

  it('have a row for every header', () => {
    const wanted = [
      'authorization',
      'cache-control',
      ...Object.values(requestHeaders),
      ...Object.values(responseHeaders),
    ];
    expect(rowsOf(pageOf('docs/reference/headers.md')).sort()).toEqual([...wanted].sort());
  });

  it('say where they come from, and are the same when made again', () => {
    for (const { path, make } of documents.filter((document) => document.path !== 'README.md')) {
      expect(make('')).toMatch(/generated from libs\//);
      expect(make(make(''))).toBe(make(''));
      expect(path).not.toMatch(/^\//);
    }
  });

  it('have only rows with as many cells as the head', () => {
    for (const { path } of documents.filter((document) => document.path.endsWith('.md'))) {
      const cells = (line: string): number => line.split(/(?<!\\)\|/).length;
      let head = 0;
      for (const line of pageOf(path).split('\n')) {
        if (!line.startsWith('|')) head = 0;
        else {
          head ||= cells(line);
          expect(`${path}: ${line} ${cells(line)}`).toBe(`${path}: ${line} ${head}`);
        }
      }
    }
  });
});
