/** Argument types of lua-build headers. */
export type ArgType = 'id' | 'name' | 'text' | 'bytes' | 'int' | 'num' | 'bool' | 'json' | 'list' | 'rest';
/** Reply types of lua-build headers. */
export type ColumnType = 'int' | 'num' | 'text' | 'bool' | 'bytes' | 'list' | 'map';
export type ReplyType = ColumnType | 'rows';

export type ReplyMember = readonly [
  name: string,
  type: ReplyType,
  optional: boolean,
  columns: readonly (readonly [name: string, type: ColumnType])[],
];

declare const argsType: unique symbol;
declare const replyType: unique symbol;

/** One Lua command in both forms, with the types of its arguments and its reply (made by tools/lua-build). */
export interface ScriptSpec<Args, Reply> {
  readonly name: string;
  /** Name in the function library. */
  readonly functionName: string;
  /** SHA-1 of `source` for EVALSHA. */
  readonly sha1: string;
  readonly source: string;
  /** True: may go as FCALL_RO / EVALSHA_RO. */
  readonly readOnly: boolean;
  readonly args: readonly (readonly [name: string, type: ArgType])[];
  readonly reply: readonly ReplyMember[];
  readonly [argsType]?: Args;
  readonly [replyType]?: Reply;
}
