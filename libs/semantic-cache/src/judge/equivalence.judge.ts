import { canonicalText } from '../request/canonical-text.js';
import type { Judge } from './judge.types.js';

/** A text without what never carries meaning: composition and white space. */
const plain = (text: string): string => canonicalText(text).replace(/\s+/gu, ' ').trim();

/**
 * Settles what needs no judge: the fresh answer is the candidate's, word by word. It never rejects, and it says nothing
 * of answers that are only alike: measured, 15 % of what a loose comparison accepts is wrong.
 */
export const equivalenceJudge: Judge = {
  name: 'equivalence',
  judge: ({ candidate, fresh }) =>
    Promise.resolve(fresh !== undefined && plain(fresh) !== '' && plain(fresh) === plain(candidate) ? 0 : undefined),
};
