// Two content words of a question exchanged at random: nearly always another question, or none.
import { createRng } from '@reprise/kernel';
import { compareFingerprints, explainGuard, parseFingerprint } from '@reprise/policy';

const PUNCTUATION = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/** Places of the words that carry meaning. @param {string} text @param {readonly string[]} words */
function contentPlaces(text, words) {
  const content = new Set(explainGuard(text, text, 1).a.words.map((word) => word.split(' ').pop()));
  return words.flatMap((word, at) => (content.has(word.replace(PUNCTUATION, '').toLowerCase()) ? [at] : []));
}

/** @param {readonly string[]} words @param {number} i @param {number} j */
function exchanged(words, i, j) {
  const bare = (/** @type {number} */ at) => (words[at] ?? '').replace(PUNCTUATION, '');
  const changed = [...words];
  changed[i] = (words[i] ?? '').replace(bare(i), () => bare(j));
  changed[j] = (words[j] ?? '').replace(bare(j), () => bare(i));
  return bare(i).toLowerCase() === bare(j).toLowerCase() ? undefined : changed.join(' ');
}

/**
 * Share of random exchanges that would be served even at a cosine of 1, which is an upper bound.
 * @param {readonly string[]} texts
 * @param {{ readonly perText?: number, readonly seed?: number }} [options]
 */
export function exchangeShare(texts, { perText = 3, seed = 1 } = {}) {
  const rng = createRng(seed);
  let tried = 0;
  let served = 0;
  for (const text of texts) {
    const words = text.split(/\s+/);
    const places = contentPlaces(text, words);
    const fingerprint = parseFingerprint(text);
    for (let round = 0; round < perText && places.length > 1; round += 1) {
      const i = Math.floor(rng.next() * places.length);
      const j = (i + 1 + Math.floor(rng.next() * (places.length - 1))) % places.length;
      const other = exchanged(words, places[i] ?? 0, places[j] ?? 0);
      if (other === undefined) continue;
      tried += 1;
      if (compareFingerprints(fingerprint, parseFingerprint(other), 1).serve) served += 1;
    }
  }
  return { tried, served, share: tried === 0 ? 0 : served / tried };
}
