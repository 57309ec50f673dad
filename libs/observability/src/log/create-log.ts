import type { Log, LogLevel } from '@reprise/kernel';
import pino from 'pino';
import { prettyStream } from './pretty.js';
import { redact } from './redact.js';

export interface LogOptions {
  readonly level: LogLevel;
  /** Process that writes: gateway, worker, … */
  readonly name: string;
  /** Lines for people. Default: when the output is a terminal. */
  readonly pretty?: boolean;
  /** Default: standard output. */
  readonly out?: NodeJS.WritableStream;
}

export interface LogHandle {
  readonly log: Log;
  /** Writes what is still in memory; call it before the process ends. */
  flush(): void;
}

/** The log of one process: JSON lines by pino. Fields are redacted here, so that no caller of it has to think of it. */
export function createLog(options: LogOptions): LogHandle {
  const out = options.out ?? process.stdout;
  const pretty = options.pretty ?? (out as { isTTY?: boolean }).isTTY === true;
  const buffered = pretty || options.out ? undefined : pino.destination({ fd: 1, sync: false });
  const stream = buffered ?? (pretty ? prettyStream(out) : out);
  const writer = pino(
    { level: options.level, name: options.name, base: { name: options.name, pid: process.pid } },
    stream,
  );
  const log: Log = {
    write(level, message, fields) {
      if (!writer.isLevelEnabled(level)) return;
      writer[level]((fields ? redact(fields) : {}) as object, message);
    },
  };
  return { log, flush: () => buffered?.flushSync() };
}

/** A log that adds the same fields to every line: the request context without AsyncLocalStorage. */
export function boundLog(log: Log, bound: Readonly<Record<string, unknown>>): Log {
  return { write: (level, message, fields) => log.write(level, message, { ...bound, ...fields }) };
}
