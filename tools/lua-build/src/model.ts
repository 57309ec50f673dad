/** Types of arguments: how the binding encodes them and how the Lua prelude checks them; `rest` takes all that follow. */
export type ArgType = 'id' | 'name' | 'text' | 'bytes' | 'int' | 'num' | 'bool' | 'json' | 'list' | 'rest';

/** Types of reply members. `row` members hold a table of their own columns. */
export type ReplyType = 'int' | 'num' | 'text' | 'bool' | 'bytes' | 'list' | 'map' | 'rows';

export interface Arg {
  readonly name: string;
  readonly type: ArgType;
  /** Inclusive bounds of `int` and `num`. */
  readonly min?: number;
  readonly max?: number;
  readonly summary: string;
}

export interface Column {
  readonly name: string;
  readonly type: Exclude<ReplyType, 'rows'>;
}

export interface ReplyMember {
  readonly name: string;
  readonly type: ReplyType;
  readonly optional: boolean;
  readonly columns: readonly Column[];
  readonly summary: string;
}

export interface Fragment {
  readonly name: string;
  readonly path: string;
  readonly summary: string;
  readonly includes: readonly string[];
  readonly body: string;
}

export interface Command extends Fragment {
  /** `command`: internal, versioned name, typed binding. `op`: operators' function with a stable name. */
  readonly kind: 'command' | 'op';
  readonly args: readonly Arg[];
  readonly usage: string;
  readonly statuses: readonly string[];
  readonly reply: readonly ReplyMember[];
  readonly returns: string;
  readonly flags: readonly string[];
  readonly errors: readonly string[];
}

/** Name → number of every reply status; the numbers never change once released. */
export type StatusTable = ReadonlyMap<string, { readonly code: number; readonly summary: string }>;

export interface Sources {
  readonly commands: readonly Command[];
  readonly ops: readonly Command[];
  readonly fragments: ReadonlyMap<string, Fragment>;
  readonly statuses: StatusTable;
  readonly version: string;
}

/** A mistake in a Lua source: file and reason. */
export class LuaSourceError extends Error {
  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`);
    this.name = 'LuaSourceError';
  }
}
