import type { Analysis } from '../../analyse/analysis.types.js';
import { sharesBase } from '../../analyse/bases.js';
import type { Pair } from '../pair.js';
import { sameMultiset } from '../pair.js';

/** Numbers, calendar words and quantities: equal as multisets. */
export function numbersAgree({ a, b }: Pair): boolean {
  return sameMultiset(a.numbers, b.numbers);
}

/** Negations: equal as multisets; each stands before the same aligned word (`negationsStandAlike`). */
export function negationsAgree({ a, b }: Pair): boolean {
  return sameMultiset(a.negations, b.negations);
}

/** Every negation stands before the same aligned word. */
export function negationsStandAlike({ a, b, alignment }: Pair): boolean {
  if (a.negations.length === 0) return true;
  const negatedB = b.content.filter(({ negation }) => negation !== '');
  const negatedA = a.content.map((word, index) => ({ word, index })).filter(({ word }) => word.negation !== '');
  return (
    negatedA.length === negatedB.length &&
    negatedA.every(({ word, index }) => {
      const partner = alignment.pairs.find((pair) => pair.a === index);
      return partner !== undefined && b.content[partner.b]?.negation === word.negation;
    })
  );
}

const plain = (form: string): string => form.replace(/[.']/g, '');

function plainForms(forms: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...forms].map(plain));
}

/** Where every noun is capitalised, a noun in another form or a listed synonym counts as found. */
function isFoundInflected(name: string, { pack, content }: Analysis): boolean {
  const bases = pack.bases(name);
  const synonyms = pack.lexicon.synonyms.get(pack.lemma(name));
  return content.some((word) => sharesBase(word.bases, bases) || synonyms?.has(word.word) === true);
}

/** Whether a name of one text is found in the other. */
function isFound(name: string, other: Analysis): boolean {
  const { forms, pack } = other;
  if (forms.has(name) || forms.has(pack.lexicon.aliases.get(name) ?? name) || /\d/.test(name)) return true;
  if (pack.lexicon.neverNames.has(name)) return true;
  if (pack.nounsAreCapitalised && isFoundInflected(name, other)) return true;
  if (name.endsWith('s') && forms.has(`${name.slice(0, -1)}'s`)) return true;
  return plainForms(forms).has(plain(name));
}

/** Names in their exact form (plural kept) are words of the other text. Names with digits are left to the numbers. */
export function namesAgree({ a, b }: Pair): boolean {
  return a.names.every((name) => isFound(name, b)) && b.names.every((name) => isFound(name, a));
}
