/** Source of time; the core never reads a clock itself. */
export interface Clock {
  /** Wall time in ms since the epoch. */
  nowMs(): number;
}
