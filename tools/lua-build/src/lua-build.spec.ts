import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { buildFiles, readSources, staleFiles } from './build.js';
import { engineLibrary, opsLibrary, scriptSource } from './emit-lua.js';
import { LuaSourceError } from './model.js';
import { parseCommand, parseFragment, parseStatuses } from './parse.js';
import { resolveIncludes } from './resolve.js';

const command = (name: string, change: { header?: string[]; body?: string } = {}): string =>
  [
    `--- @command ${name}`,
    '--- @summary Does it.',
    '--- @key base',
    '--- @arg id id The thing.',
    '--- @status ok miss',
    '--- @reply value? num What came of it.',
    '--- @returns A value.',
    ...(change.header ?? ['--- @include first']),
    change.body ?? `local function ${name}(keys, args)\n  return { rp.S.ok, rp.first(keys[1], args[1]) }\nend`,
  ].join('\n');

const fragment = (
  name: string,
  includes: string[] = [],
  body = `function rp.${name}() return 1 end\nrp.arg = {}`,
): string =>
  [`--- @fragment ${name}`, '--- @summary Part.', ...includes.map((i) => `--- @include ${i}`), '', body].join('\n');

const statuses = 'ok 0 Done.\nmiss 2 Nothing.\n';

let roots: string[] = [];

/** A repository with these Lua files. */
function root(files: Record<string, string>): string {
  const dir = mkdtempSync(join(tmpdir(), 'lua-build-'));
  roots.push(dir);
  const all = { 'package.json': '{"version":"3.4.5"}', 'lua/statuses.txt': statuses, ...files };
  for (const folder of ['lua/commands', 'lua/ops', 'lua/includes', 'libs/redis-store/src/generated', 'redis/functions'])
    mkdirSync(join(dir, folder), { recursive: true });
  for (const [path, content] of Object.entries(all)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  return dir;
}

afterEach(() => {
  for (const dir of roots) rmSync(dir, { recursive: true });
  roots = [];
});

const simple = {
  'lua/commands/do_it.lua': command('do_it'),
  'lua/includes/first.lua': fragment('first', ['second']),
  'lua/includes/second.lua': fragment('second'),
};

describe('includes', () => {
  const fragments = (...list: [string, string[]][]) =>
    new Map(list.map(([name, includes]) => [name, parseFragment(`${name}.lua`, name, fragment(name, includes))]));
  const order = (includes: string[], map: ReturnType<typeof fragments>): string[] =>
    resolveIncludes({ path: 'c.lua', includes }, map).map((f) => f.name);

  it('come once each, what is needed before what needs it', () => {
    const map = fragments(['a', ['b', 'c']], ['b', ['d']], ['c', ['d', 'b']], ['d', []]);
    expect(order(['a', 'd', 'b'], map)).toEqual(['d', 'b', 'c', 'a']);
  });

  it('are refused when they are circular, with the circle', () => {
    const map = fragments(['a', ['b']], ['b', ['c']], ['c', ['a']]);
    expect(() => order(['a'], map)).toThrow('circular include a -> b -> c -> a');
    expect(() => order(['s'], fragments(['s', ['s']]))).toThrow('circular include s -> s');
  });

  it('are refused when they are not there, with the file that asks', () => {
    expect(() => order(['a'], fragments(['a', ['lost']]))).toThrow(new LuaSourceError('a.lua', 'unknown include lost'));
  });
});

describe('headers', () => {
  const parse = (source: string) => parseCommand('c.lua', 'do_it', 'command', source);

  it('are read with arguments, bounds, replies and statuses', () => {
    const header = [
      '--- @arg count int 1..64 How many.',
      '--- @arg rest rest All others.',
      '--- @reply rows rows(id:text score:num)',
      '---   Most similar first.',
      '--- @flags no-writes allow-oom',
      '--- @error RP_ERR_X: why.',
    ];
    const parsed = parse(command('do_it', { header }));
    expect(parsed.args).toEqual([
      { name: 'id', type: 'id', summary: 'The thing.' },
      { name: 'count', type: 'int', min: 1, max: 64, summary: 'How many.' },
      { name: 'rest', type: 'rest', summary: 'All others.' },
    ]);
    expect(parsed.reply[1]).toEqual({
      name: 'rows',
      type: 'rows',
      optional: false,
      columns: [
        { name: 'id', type: 'text' },
        { name: 'score', type: 'num' },
      ],
      summary: 'Most similar first.',
    });
    expect(parsed).toMatchObject({
      statuses: ['ok', 'miss'],
      flags: ['no-writes', 'allow-oom'],
      errors: ['RP_ERR_X: why.'],
    });
  });

  it.each([
    ['an unknown tag', { header: ['--- @argument x id'] }, 'unknown header tag @argument'],
    ['an unknown type', { header: ['--- @arg x float'] }, 'unknown type float'],
    ['a number without bounds', { header: ['--- @arg x int'] }, 'bounds do not fit'],
    ['bounds without a number', { header: ['--- @arg x id 1..2'] }, 'bounds do not fit'],
    ['an argument twice', { header: ['--- @arg id text'] }, '@arg id twice'],
    ['arguments after the rest', { header: ['--- @arg x rest', '--- @arg y id'] }, 'rest must be the last'],
    ['rows without columns', { header: ['--- @reply x rows'] }, 'columns'],
    ['an unknown flag', { header: ['--- @flags fast'] }, 'unknown flag fast'],
    ['another function', { body: 'local function other(keys, args) end' }, 'one local function do_it'],
    ['a header inside the code', { body: 'local function do_it(keys)\nend\n--- @flags no-writes' }, 'before the code'],
  ])('are refused with %s', (_what, change, message) => {
    expect(() => parse(command('do_it', change))).toThrow(message);
  });

  it('name the file they are in', () => {
    expect(() => parseCommand('c.lua', 'other', 'command', command('do_it'))).toThrow('c.lua: @command must be other');
    expect(() => parseFragment('f.lua', 'f', '--- @fragment f\n--- @summary Part.\n')).toThrow('f.lua: no code');
  });

  it('statuses are refused twice', () => {
    expect(() => parseStatuses('s.txt', 'ok 0 A.\nok 1 B.\n')).toThrow('twice');
    expect(() => parseStatuses('s.txt', 'ok 0 A.\nmiss 0 B.\n')).toThrow('twice');
    expect(() => parseStatuses('s.txt', 'ok zero A.\n')).toThrow('bad line');
  });
});

describe('the two forms', () => {
  it('hold the same code; the script answers KEYS and ARGV, the library registers', () => {
    const sources = readSources(root(simple));
    const [only] = sources.commands;
    if (!only) throw new Error('no command');
    const script = scriptSource(only, sources);
    const library = engineLibrary(sources);
    expect(script).toContain('return do_it(KEYS, ARGV)');
    expect(library.source).toContain(`function_name = 'rp_do_it_${library.suffix}'`);
    for (const form of [script, library.source]) {
      expect(form).toContain("id = rp.arg.id(args[1], 'id'),");
      expect(form.indexOf('function rp.second')).toBeLessThan(form.indexOf('function rp.first'));
      expect(form.match(/function rp\.second/g)).toHaveLength(1);
      expect(form).toContain('rp.S = { ok = 0 }');
    }
  });

  it('carry the flags', () => {
    const files = {
      ...simple,
      'lua/commands/do_it.lua': command('do_it', { header: ['--- @flags no-writes', '--- @include first'] }),
    };
    const sources = readSources(root(files));
    const [only] = sources.commands;
    if (!only) throw new Error('no command');
    expect(scriptSource(only, sources).startsWith('#!lua flags=no-writes\n')).toBe(true);
    expect(engineLibrary(sources).source).toContain("flags = { 'no-writes' }");
  });

  it('have names of their own for every content, so that two versions live side by side', () => {
    const before = engineLibrary(readSources(root(simple)));
    const changed = {
      ...simple,
      'lua/includes/second.lua': fragment('second', [], 'function rp.second() return 2 end'),
    };
    const after = engineLibrary(readSources(root(changed)));
    expect(before.name).toMatch(/^reprise_3_4_[0-9a-f]{8}$/);
    expect(after.name).not.toBe(before.name);
    expect(engineLibrary(readSources(root(simple)))).toEqual(before);
  });

  it('refuse what no include brings', () => {
    const body = 'local function do_it(keys)\n  return { rp.S.ok, rp.third(keys[1]) }\nend';
    const sources = readSources(root({ ...simple, 'lua/commands/do_it.lua': command('do_it', { body }) }));
    expect(() => engineLibrary(sources)).toThrow('rp.third is used, but no include brings it');
  });

  it('refuse a status that the header or the table does not name', () => {
    const files = (body: string) => ({ ...simple, 'lua/commands/do_it.lua': command('do_it', { body }) });
    const body = (status: string) => `local function do_it(keys)\n  return { rp.S.${status} }\nend`;
    const withBody = (status: string) =>
      readSources(root({ ...files(body(status)), 'lua/statuses.txt': `${statuses}gone 5 Away.\n` }));
    expect(() => engineLibrary(withBody('gone'))).toThrow('@status does not name gone');
    expect(() => engineLibrary(withBody('lost'))).toThrow('does not name lost');
  });

  it("operators' functions keep their names", () => {
    const op = command('rp_ask').replace('@command', '@op').replace('--- @key base\n', '');
    const library = opsLibrary(readSources(root({ ...simple, 'lua/ops/rp_ask.lua': op })));
    expect(library?.name).toBe('reprise_ops');
    expect(library?.source).toContain("function_name = 'rp_ask'");
    expect(library?.source.split('\n')[1]).toBe('-- version 3.4.5');
  });
});

describe('the build', () => {
  it('makes a binding a command, the statuses, the libraries and the page', () => {
    const files = buildFiles(readSources(root(simple)));
    expect([...files.keys()]).toEqual([
      'libs/redis-store/src/generated/do-it.gen.ts',
      'libs/redis-store/src/generated/statuses.gen.ts',
      'libs/redis-store/src/generated/libraries.gen.ts',
      'redis/functions/reprise.lua',
      'docs/reference/scripts.md',
    ]);
    const binding = files.get('libs/redis-store/src/generated/do-it.gen.ts') ?? '';
    expect(binding).toContain('export interface DoItArgs');
    expect(binding).toContain("readonly status: 'ok' | 'miss';");
    expect(binding).toContain('readonly value?: number;');
    expect(binding).toMatch(/"sha1": "[0-9a-f]{40}"/);
  });

  it('finds what is no longer made', () => {
    const dir = root({ ...simple, 'redis/functions/old.lua': '' });
    expect(staleFiles(dir, buildFiles(readSources(dir)))).toEqual(['redis/functions/old.lua']);
  });

  it('builds no key that redis/keys.md does not list', () => {
    const repository = join(import.meta.dirname, '../../..');
    const { commands, ops, fragments } = readSources(repository);
    const page = readFileSync(join(repository, 'redis/keys.md'), 'utf8');
    const documented = new Set([...page.matchAll(/`rp:\{NS\}:([a-z:0-9]+?)(?::[A-Z]+)?`/g)].map((m) => m[1]));
    const built = [...commands, ...ops, ...fragments.values()].flatMap(({ body }) =>
      [...body.matchAll(/\.\. ':([a-z0-9:]+?):?'/g)].map((m) => m[1]),
    );
    expect(new Set(built).size).toBeGreaterThan(15);
    const dynamic = ['t', 'gh:arc'];
    expect([...new Set(built)].filter((key) => !documented.has(key) && !dynamic.includes(key ?? ''))).toEqual([]);
  });

  it('is what is committed', () => {
    const repository = join(import.meta.dirname, '../../..');
    const files = buildFiles(readSources(repository));
    const committed = readFileSync(join(repository, 'redis/functions/reprise.lua'), 'utf8');
    expect(committed).toBe(files.get('redis/functions/reprise.lua'));
    expect(staleFiles(repository, files)).toEqual([]);
  });
});
