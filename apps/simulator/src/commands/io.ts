/** What a command may touch of its process; the CLI's own has this shape. */
export interface SimulatorIo {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly terminal: boolean;
  readonly signal: AbortSignal;
}

/** How a report is given out. */
export interface OutputOptions {
  /** Folder for report.html, .json, .txt and the CSV files. */
  readonly out?: string;
  /** What goes to the standard output. */
  readonly format: 'text' | 'json' | 'csv';
  readonly threads: number;
}
