import { FEATURE_NAMES } from './features.js';

/** The features of LR-12 that are among the 60, in the order of risk-model.md §4. */
const SHARED = [
  ...['agree_wide', 'cos_q', 'reply_specifics', 'words_gap', 'cos_p_reply', 'asks'],
  ...['same_names', 'new_numbers', 'agree_mean', 'same_previous'],
].map((name) => FEATURE_NAMES.indexOf(name));

export const LR12_FEATURES = SHARED.length + 2;

/** Accepted and all earlier labels by class of the reply; the estimate is (accepted + 1) / (labels + 2). */
export class ClassPosteriors {
  private readonly accepted = new Map<number, number>();
  private readonly labels = new Map<number, number>();

  of(replyClass: number): number {
    return ((this.accepted.get(replyClass) ?? 0) + 1) / ((this.labels.get(replyClass) ?? 0) + 2);
  }

  add(replyClass: number, rejected: 0 | 1): void {
    this.labels.set(replyClass, (this.labels.get(replyClass) ?? 0) + 1);
    this.accepted.set(replyClass, (this.accepted.get(replyClass) ?? 0) + 1 - rejected);
  }
}

/**
 * The 12 numbers of the simple arm from one row of the 60, and the posteriors of the reply's classes at cosine .8 and .9.
 *
 * The posteriors must be those at decision time; stored with the label, never computed again.
 */
export function lr12Row(row: Float64Array, posterior80: number, posterior90: number): Float64Array {
  return Float64Array.from([posterior80, posterior90, ...SHARED.map((column) => row[column]!)]);
}
