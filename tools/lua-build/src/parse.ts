import {
  type Arg,
  type ArgType,
  type Column,
  type Command,
  type Fragment,
  LuaSourceError,
  type ReplyMember,
  type ReplyType,
  type StatusTable,
} from './model.js';

const argTypes: readonly string[] = ['id', 'name', 'text', 'bytes', 'int', 'num', 'bool', 'json', 'list', 'rest'];
const replyTypes: readonly string[] = ['int', 'num', 'text', 'bool', 'bytes', 'list', 'map', 'rows'];
const redisFlags = new Set(['no-writes', 'allow-oom', 'allow-stale', 'no-cluster']);
const tagNames = new Set([
  'command',
  'op',
  'fragment',
  'summary',
  'key',
  'arg',
  'usage',
  'status',
  'reply',
  'returns',
  'flags',
  'error',
  'include',
]);

interface Tag {
  readonly tag: string;
  readonly text: string;
}

/** Splits a file into its header tags (leading `---` lines) and its code. */
export function splitHeader(path: string, source: string): { tags: Tag[]; body: string } {
  const lines = source.replaceAll('\r\n', '\n').split('\n');
  const tags: Tag[] = [];
  let at = 0;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (!line.startsWith('---')) break;
    const text = line.slice(3).trim();
    const match = /^@(\S+)\s*(.*)$/.exec(text);
    if (match) {
      const tag = match[1] ?? '';
      if (!tagNames.has(tag)) throw new LuaSourceError(path, `unknown header tag @${tag}`);
      tags.push({ tag, text: match[2] ?? '' });
    } else if (text !== '') {
      const last = tags.pop();
      if (!last) throw new LuaSourceError(path, 'header text before the first tag');
      tags.push({ tag: last.tag, text: `${last.text} ${text}`.trim() });
    }
  }
  const body = lines.slice(at).join('\n').trim();
  if (/^---\s*@/m.test(body)) throw new LuaSourceError(path, 'header tags must stand before the code');
  return { tags, body };
}

const all = (tags: readonly Tag[], name: string): string[] => tags.filter((t) => t.tag === name).map((t) => t.text);

function one(path: string, tags: readonly Tag[], name: string): string {
  const found = all(tags, name);
  if (found.length !== 1 || found[0] === '') throw new LuaSourceError(path, `exactly one @${name} is wanted`);
  return found[0] ?? '';
}

function parseArg(path: string, text: string): Arg {
  const match = /^(\w+)\s+(\w+)(?:\s+(-?[\d.e]+)\.\.(-?[\d.e]+))?(?:\s+(.*))?$/.exec(text);
  if (!match) throw new LuaSourceError(path, `@arg wants "name type [min..max] text", got "${text}"`);
  const [, name = '', type = '', min, max, summary = ''] = match;
  if (!argTypes.includes(type)) throw new LuaSourceError(path, `@arg ${name}: unknown type ${type}`);
  const numeric = type === 'int' || type === 'num';
  if (numeric !== (min !== undefined)) throw new LuaSourceError(path, `@arg ${name}: ${type} and bounds do not fit`);
  return {
    name,
    type: type as ArgType,
    summary,
    ...(min !== undefined && max !== undefined ? { min: Number(min), max: Number(max) } : {}),
  };
}

function parseReply(path: string, text: string): ReplyMember {
  const match = /^(\w+)(\?)?\s+(\w+)(?:\(([^)]*)\))?(?:\s+(.*))?$/.exec(text);
  if (!match) throw new LuaSourceError(path, `@reply wants "name[?] type[(columns)] text", got "${text}"`);
  const [, name = '', optional, type = '', columnText, summary = ''] = match;
  if (!replyTypes.includes(type)) throw new LuaSourceError(path, `@reply ${name}: unknown type ${type}`);
  const columns = (columnText ?? '')
    .split(/\s+/)
    .filter((c) => c !== '')
    .map((column): Column => {
      const [columnName = '', columnType = ''] = column.split(':');
      if (columnType === 'rows' || !replyTypes.includes(columnType))
        throw new LuaSourceError(path, `@reply ${name}: column ${column} wants name:type`);
      return { name: columnName, type: columnType as Column['type'] };
    });
  if ((type === 'rows') !== columns.length > 0)
    throw new LuaSourceError(path, `@reply ${name}: rows, and only rows, have columns`);
  return { name, type: type as ReplyType, optional: optional === '?', columns, summary };
}

/** A file of `lua/includes`. */
export function parseFragment(path: string, name: string, source: string): Fragment {
  const { tags, body } = splitHeader(path, source);
  if (one(path, tags, 'fragment') !== name) throw new LuaSourceError(path, `@fragment must be ${name}`);
  if (body === '') throw new LuaSourceError(path, 'no code');
  return { name, path, summary: one(path, tags, 'summary'), includes: all(tags, 'include'), body };
}

/** A file of `lua/commands` (kind `command`) or `lua/ops` (kind `op`). */
export function parseCommand(path: string, name: string, kind: Command['kind'], source: string): Command {
  const { tags, body } = splitHeader(path, source);
  if (one(path, tags, kind) !== name) throw new LuaSourceError(path, `@${kind} must be ${name}`);
  if (!new RegExp(`^local function ${name}\\((keys(, args)?)?\\)`, 'm').test(body))
    throw new LuaSourceError(path, `one local function ${name}(keys, args) is wanted`);
  const flags = all(tags, 'flags').flatMap((f) => f.split(/\s+/));
  for (const flag of flags) if (!redisFlags.has(flag)) throw new LuaSourceError(path, `unknown flag ${flag}`);
  if (kind === 'command' && all(tags, 'key').join() !== 'base')
    throw new LuaSourceError(path, 'the one key is "base" (redis/keys.md)');
  const args = all(tags, 'arg').map((text) => parseArg(path, text));
  const duplicate = args.find((arg, i) => args.findIndex((other) => other.name === arg.name) !== i);
  if (duplicate) throw new LuaSourceError(path, `@arg ${duplicate.name} twice`);
  if (args.slice(0, -1).some((arg) => arg.type === 'rest'))
    throw new LuaSourceError(path, 'rest must be the last @arg');
  return {
    kind,
    name,
    path,
    summary: one(path, tags, 'summary'),
    includes: all(tags, 'include'),
    body,
    args,
    usage: all(tags, 'usage').join(' '),
    statuses: all(tags, 'status').flatMap((s) => s.split(/\s+/)),
    reply: all(tags, 'reply').map((text) => parseReply(path, text)),
    returns: one(path, tags, 'returns'),
    flags,
    errors: all(tags, 'error'),
  };
}

/** `lua/statuses.txt`: one `name code text` a line, `#` comments. */
export function parseStatuses(path: string, source: string): StatusTable {
  const table = new Map<string, { code: number; summary: string }>();
  const codes = new Set<number>();
  for (const line of source.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const match = /^([a-z][a-z-]*)\s+(\d+)\s+(\S.*)$/.exec(line.trim());
    if (!match) throw new LuaSourceError(path, `bad line "${line}"`);
    const [, name = '', code = '', summary = ''] = match;
    if (table.has(name) || codes.has(Number(code))) throw new LuaSourceError(path, `status ${name} or ${code} twice`);
    table.set(name, { code: Number(code), summary });
    codes.add(Number(code));
  }
  return table;
}
