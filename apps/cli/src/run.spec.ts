import { describe, expect, it } from 'vitest';
import { gatewayOf, run } from './run.js';
import { deadUrl, recordedIo } from './testing.js';

describe('the command line', () => {
  it.each([
    [[], /a command is missing/],
    [['nonsense'], /no command "nonsense"/],
    [['config'], /missing required args/],
    [['config', 'chek'], /no command "config chek"/],
    [['eval', 'pairs'], /missing required args/],
    [['eval', 'triples', 'x'], /no command "eval triples"/],
    [['demo', '--bogus'], /Unknown option `--bogus`/],
    [['demo', '--conversations', 'many'], /--conversations must be a whole number/],
    [['demo', '--url', 'nonsense'], /--url must be an http/],
    [['demo', 'extra'], /Unused args/],
    [['guard', 'one text'], /guard needs two texts/],
    [['guard', 'one', 'two', 'three'], /guard needs two texts/],
    [['guard', 'a', 'b', '--cosine', '2'], /--cosine must be a number/],
    [['doctor', '--timeout', '0'], /--timeout must be a whole number/],
  ])('%j makes no sense: exit code 2, sentence and usage', async (argv, sentence) => {
    const io = recordedIo();
    expect(await run(argv, io)).toBe(2);
    expect(io.written.err).toMatch(sentence);
    expect(io.written.err).toContain('usage: reprise <command>');
    expect(io.written.out).toBe('');
  });

  it('the usage has a line for every command', async () => {
    const io = recordedIo();
    await run([], io);
    for (const name of ['config check [file]', 'doctor', 'demo', 'eval pairs <file>', 'guard "A" "B"'])
      expect(io.written.err).toMatch(new RegExp(`^  ${name.replace(/[[\]]/g, '\\$&')} +\\S`, 'm'));
  });

  it.each([
    [{}, 8080],
    [{ PORT: '7777' }, 7777],
    [{ PORT: '0' }, 8080],
    [{ PORT: 'none' }, 8080],
  ])('the gateway of this machine with %j is at port %d', (env: Record<string, string>, port) => {
    expect(gatewayOf(recordedIo({ env }))).toBe(`http://127.0.0.1:${port}`);
  });

  it.each([
    ['config', 'check', '/nowhere/x.yaml'],
    ['config', 'check', '--config', '/nowhere/x.yaml'],
  ])('%s %s %s names the file that is not there', async (...argv) => {
    const io = recordedIo();
    expect(await run(argv, io)).toBe(1);
    expect(io.written.out + io.written.err).toMatch(/x\.yaml: does not exist/);
  });

  it('stopping is no failure of the command', async () => {
    const stop = new AbortController();
    stop.abort();
    const io = recordedIo({ signal: stop.signal });
    expect(await run(['demo', '--url', await deadUrl()], io)).toBe(130);
    expect(io.written.err).toContain('Stopped.');
  });

  it('nobody at the address is one sentence with what to do', async () => {
    const io = recordedIo();
    expect(await run(['demo', '--url', await deadUrl()], io)).toBe(1);
    expect(io.written.err).toMatch(
      /^reprise: no gateway answers at http:\/\/127\.0\.0\.1:\d+ \(.*ECONNREFUSED.*npm start/,
    );
    expect(io.written.err).not.toContain('    at ');
  });
});
