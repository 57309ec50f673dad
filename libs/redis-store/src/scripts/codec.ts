import { statusNames } from '../generated/statuses.gen.js';
import type { ArgType, ColumnType, ReplyMember, ScriptSpec } from './script-spec.js';

/** A raw member of a reply: Redis integers, bulk strings, nested arrays, false for absent. */
type Raw = number | string | Buffer | boolean | null | undefined | readonly Raw[];

function encodeArg(type: ArgType, value: unknown): string | Buffer | readonly string[] {
  switch (type) {
    case 'bytes':
      // A call without a Buffer is written as one string, which costs the client far less.
      return (value as Buffer).length === 0 ? '' : (value as Buffer);
    case 'bool':
      return value === true ? '1' : '0';
    case 'list':
      return JSON.stringify((value as readonly string[]).map((v) => v.toWellFormed()));
    case 'int':
    case 'num':
      return String(value);
    case 'id':
    case 'name':
    case 'text':
    case 'json':
      return value as string;
    case 'rest':
      return value as readonly string[];
  }
}

/** Positional arguments of a call, in the header's order. */
export function encodeArgs<A>(spec: ScriptSpec<A, unknown>, args: A): (string | Buffer)[] {
  const record = args as Record<string, unknown>;
  return spec.args.flatMap(([name, type]) => encodeArg(type, record[name]));
}

function decodeMap(raw: readonly Raw[]): Record<string, string> {
  const map: Record<string, string> = {};
  for (let i = 0; i + 1 < raw.length; i += 2) map[String(raw[i])] = String(raw[i + 1]);
  return map;
}

function decodeColumn(type: ColumnType, raw: Raw): unknown {
  switch (type) {
    case 'int':
    case 'num':
      return Number(raw);
    case 'bool':
      return Number(raw) === 1;
    case 'text':
      return String(raw);
    case 'bytes':
      return raw;
    case 'list':
      return (raw as readonly Raw[]).map(String);
    case 'map':
      return decodeMap(raw as readonly Raw[]);
  }
}

function decodeMember([, type, , columns]: ReplyMember, raw: Raw): unknown {
  if (type !== 'rows') return decodeColumn(type, raw);
  return (raw as readonly (readonly Raw[])[]).map((row) => {
    const object: Record<string, unknown> = {};
    columns.forEach(([name, columnType], i) => (object[name] = decodeColumn(columnType, row[i])));
    return object;
  });
}

/** The typed reply: `status` by name, then the members that are there. */
export function decodeReply<R>(spec: ScriptSpec<never, R>, raw: unknown): R {
  const [status, ...members] = raw as readonly Raw[];
  const object: Record<string, unknown> = { status: statusNames[Number(status)] };
  spec.reply.forEach((member, i) => {
    const value = members[i];
    const absent = value === undefined || value === null || value === false;
    if (!absent) object[member[0]] = decodeMember(member, value);
    // An empty list is absent in the reply.
    else if (!member[2] && (member[1] === 'list' || member[1] === 'rows')) object[member[0]] = [];
  });
  return object as R;
}
