import { Writable } from 'node:stream';

const levelNames: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
const hidden = new Set(['level', 'time', 'msg', 'pid', 'hostname', 'name']);

/** One JSON line of pino as a line for people: time, level, message, then fields as name=value. */
export function prettyLine(line: string): string {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return line;
  }
  const time = new Date(Number(entry['time'])).toISOString().slice(11, 23);
  const level = (levelNames[Number(entry['level'])] ?? '?').padEnd(5);
  const fields = Object.entries(entry)
    .filter(([name]) => !hidden.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return [time, level, String(entry['msg'] ?? ''), ...fields].join(' ');
}

/** A stream for pino that writes lines for people. */
export function prettyStream(out: NodeJS.WritableStream): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      for (const line of chunk.toString().split('\n')) if (line !== '') out.write(`${prettyLine(line)}\n`);
      done();
    },
  });
}
