import type { Judge, JudgedTexts } from '@reprise/semantic-cache';

/**
 * A judge that knows the truth of a data set, for tests and benchmarks: a worker is given it in place of its own, no
 * configuration names it. `truth` sees what every judge sees, the texts; undefined: the data set does not say.
 */
export function createReferenceJudge(truth: (texts: JudgedTexts) => 0 | 1 | undefined): Judge {
  return { name: 'reference', judge: (texts) => Promise.resolve(truth(texts)) };
}
