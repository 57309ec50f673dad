import type { Analysis, ContentWord } from '../../analyse/analysis.types.js';
import type { Pair } from '../pair.js';

const isPlural = ({ word, raw }: ContentWord): boolean => word.startsWith('#') || raw.endsWith('s') || PLURALS.has(raw);
const PLURALS = new Set(['people', 'men', 'women', 'children', 'kids']);

/** Last word of the phrase that the word stands in. */
function headOf({ content }: Analysis, index: number): ContentWord | undefined {
  let last = index;
  while (content[last + 1]?.segment === content[index]?.segment && content[last + 1] !== undefined) last++;
  return content[last];
}

/** "the top layer", "the great wall": a quality of one known thing, not a choice. */
function isQuality(text: Analysis, index: number): boolean {
  const word = text.content[index];
  if (word === undefined || text.pack.lexicon.best.get(word.raw) === SUPERLATIVE || word.article !== 'the')
    return false;
  const head = headOf(text, index);
  return head !== undefined && !isPlural(head) && !isPlural(text.content[index + 1] ?? word);
}

const SUPERLATIVE = 'best';

/** "good", "great", "top" and "best" stand for each other where a choice is asked for; never in yes/no questions. */
export function praisesAgree({ a, b, alignment }: Pair): boolean {
  const { best } = a.pack.lexicon;
  const yesNo = a.types.includes('YN') || b.types.includes('YN');
  return alignment.pairs.every(({ a: i, b: j }) => {
    const [x, y] = [best.get(a.content[i]?.raw ?? ''), best.get(b.content[j]?.raw ?? '')];
    if (x === undefined || y === undefined || x === y) return true;
    return !yesNo && !isQuality(a, i) && !isQuality(b, j);
  });
}
