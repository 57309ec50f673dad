import { run } from './run.js';

const stop = new AbortController();
process.on('SIGINT', () => {
  // A second Ctrl-C does not wait for what is under way.
  if (stop.signal.aborted) process.exit(130);
  stop.abort();
});
process.on('SIGTERM', () => stop.abort());
// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

process.exitCode = await run(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  env: process.env,
  cwd: process.cwd(),
  terminal: process.stdout.isTTY === true,
  signal: stop.signal,
});
