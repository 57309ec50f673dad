/** What a store has done since it was made; the twin of `stats`. */
export interface PolicyCounters {
  /** Calls of `admit` that were not repeats. */
  offers: number;
  /** Entries inserted, for whatever reason. */
  admitted: number;
  /** Of these: because the accumulated loss passed the threshold. */
  gated: number;
  evicted: number;
  /** Offers of an entry that was already live. */
  refreshed: number;
  promoted: number;
  demoted: number;
  labelsCorrect: number;
  labelsIncorrect: number;
  /** Labels whose entry was gone. */
  labelsLate: number;
}

export function noCounters(): PolicyCounters {
  return {
    offers: 0,
    admitted: 0,
    gated: 0,
    evicted: 0,
    refreshed: 0,
    promoted: 0,
    demoted: 0,
    labelsCorrect: 0,
    labelsIncorrect: 0,
    labelsLate: 0,
  };
}
