/** What a judge sees: texts of strangers, never instructions. */
export interface JudgedTexts {
  /** Newest earlier messages, oldest first. */
  readonly history: readonly { readonly role: string; readonly text: string }[];
  readonly message: string;
  /** Answer of the candidate. */
  readonly candidate: string;
  /** The answer that was generated instead, when there is one. */
  readonly fresh?: string;
}

/** Says whether a candidate would have been a right answer. */
export interface Judge {
  /** Kept with the label. */
  readonly name: string;
  /**
   * 0: right, 1: wrong, undefined: this judge cannot say. Rejects when it fails, which says nothing about the answer.
   *
   * `spent`: told what the call cost, in billionths of a US dollar, also when it fails.
   */
  judge(texts: JudgedTexts, spent: (nanoUsd: number) => void): Promise<0 | 1 | undefined>;
}
