/** What one check found. */
export interface Finding {
  readonly name: string;
  /** `warn`: it runs, but not as it should; `fail`: something does not work. */
  readonly level: 'ok' | 'warn' | 'fail';
  readonly says: string;
  /** What a person can do about it. */
  readonly advice?: string;
}

export const fine = (name: string, says: string): Finding => ({ name, level: 'ok', says });
export const warn = (name: string, says: string, advice: string): Finding => ({ name, level: 'warn', says, advice });
export const fail = (name: string, says: string, advice: string): Finding => ({ name, level: 'fail', says, advice });

/** Bytes in the unit that a person would use. */
export function bytesText(bytes: number): string {
  if (bytes >= 1024 ** 3) return `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
  return `${Math.round(bytes / 1024 ** 2)} MiB`;
}
