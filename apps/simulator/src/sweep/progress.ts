import cliProgress from 'cli-progress';

/** How far a run is. */
export interface Progress {
  start(total: number): void;
  advance(by?: number): void;
  stop(): void;
}

export const silentProgress: Progress = { start: () => undefined, advance: () => undefined, stop: () => undefined };

/** A bar with the time left on the standard error; nothing where that is no terminal. */
export function barProgress(what: string): Progress {
  if (process.stderr.isTTY !== true) return silentProgress;
  const bar = new cliProgress.SingleBar(
    {
      format: `${what} {bar} {percentage} % | {value} of {total} | {eta_formatted} left`,
      stream: process.stderr,
      clearOnComplete: true,
      hideCursor: true,
      etaBuffer: 50,
    },
    cliProgress.Presets.shades_classic,
  );
  return {
    start: (total) => bar.start(total, 0),
    advance: (by = 1) => bar.increment(by),
    stop: () => bar.stop(),
  };
}
