import type { Env } from '@reprise/config';

/** What a command may touch of its process; tests give their own. */
export interface Io {
  /** Writes to the standard output, without adding a line end. */
  readonly out: (text: string) => void;
  /** Writes to the standard error, without adding a line end. */
  readonly err: (text: string) => void;
  readonly env: Env;
  readonly cwd: string;
  /** Whether the standard output is a terminal: live tables only there. */
  readonly terminal: boolean;
  /** Aborted when the caller wants to stop (Ctrl-C). */
  readonly signal: AbortSignal;
}

/** A command line that makes no sense: the sentence is printed with the usage, the exit code is 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** A failure that was foreseen: only its sentence is printed, the exit code is 1. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}
