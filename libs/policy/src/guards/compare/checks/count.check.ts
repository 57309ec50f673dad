import type { Analysis, ContentWord } from '../../analyse/analysis.types.js';
import { sharesBase } from '../../analyse/bases.js';
import type { Lexicon, LanguagePack } from '../../languages/language.types.js';
import type { Pair } from '../pair.js';
import { asksHow, eitherIs } from '../pair.js';
import { genericPerson } from './sentence.checks.js';

const DEFINITE = new Set(['the', 'der', 'die', 'das', 'den', 'dem']);
const INDEFINITE = new Set(['a', 'an', 'ein', 'eine', 'einen', 'einem', 'einer']);

const isPlural = ({ irregularPlurals }: Lexicon, { raw }: ContentWord): boolean =>
  raw.endsWith('s') || irregularPlurals.has(raw);

/** Whether one word is the other's plural; a mass noun in the plural is a slip ("informations"). */
function countDiffers({ lexicon }: LanguagePack, x: ContentWord, y: ContentWord): boolean {
  if (x.raw === y.raw || lexicon.massNouns.has(x.word) || !sharesBase(x.bases, y.bases)) return false;
  return isPlural(lexicon, x) !== isPlural(lexicon, y);
}

/** Whether a possessor stands before a word, other than the one whom a generic "how" is about. */
function isOwned(text: Analysis, { determiner }: ContentWord, how: boolean): boolean {
  const owner = genericPerson(text, how)(determiner);
  return text.possessives.includes(owner) || text.pronouns.includes(owner);
}

/** One known thing is not several: "my dog" / "my dogs", "who wrote the letter" / "the letters", "the last line" / "the last lines". */
export function knownCountsAgree(pair: Pair): boolean {
  const { a, b, alignment } = pair;
  const how = asksHow(pair);
  const asksOne = eitherIs(pair, 'WHO', 'WHOSE', 'YN');
  return alignment.pairs.every(({ a: i, b: j }) => {
    const x = a.content[i];
    const y = b.content[j];
    if (x === undefined || y === undefined) return true;
    if ((x.pluralOwner && y.possessive) || (y.pluralOwner && x.possessive)) return false;
    if (!countDiffers(a.pack, x, y)) return true;
    if (isOwned(a, x, how) && isOwned(b, y, how)) return false;
    if (asksOne && DEFINITE.has(x.determiner) && DEFINITE.has(y.determiner)) return false;
    const [before = '', other = ''] = [a.content[i - 1]?.word, b.content[j - 1]?.word];
    return before !== other || !(before.startsWith('#o') || a.pack.lexicon.positions.has(before));
  });
}

/** "few" is not "a few", and in yes/no questions "some", "any" and neither are three things. */
export function quantifiersAgree({ a, b, alignment }: Pair): boolean {
  const { paucals, quantifiers, best } = a.pack.lexicon;
  const yesNo = a.types.includes('YN') || b.types.includes('YN');
  const exists = (pronouns: readonly string[], tokens: ReadonlySet<string>): boolean =>
    tokens.has('there') && !pronouns.includes('there');
  const counts = yesNo && !(exists(a.pronouns, a.forms) && exists(b.pronouns, b.forms));
  return alignment.pairs.every(({ a: i, b: j }) => {
    const x = a.content[i];
    const y = b.content[j];
    if (x === undefined || y === undefined) return true;
    const ago = b.pack.lexicon.counted.has(a.content[i + 1]?.word ?? '');
    if (paucals.has(x.word) && !ago && INDEFINITE.has(x.article) !== INDEFINITE.has(y.article)) return false;
    if (!counts || x.determiner === y.determiner || best.has(x.raw)) return true;
    return !quantifiers.has(x.determiner) && !quantifiers.has(y.determiner);
  });
}
