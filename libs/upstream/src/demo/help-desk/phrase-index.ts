import { foldText, markEntities, type SlotName, type Slots } from './entities.js';
import { SHELL } from './frames.js';

/** One wording that means `id`; slots stand in braces. */
export interface Phrase<Id> {
  id: Id;
  text: string;
}

export interface PhraseMatch<Id> {
  id: Id;
  slots: Slots;
  /** Words of the text that neither the phrase nor common courtesy explains. */
  residual: readonly string[];
}

interface Indexed<Id> {
  id: Id;
  words: ReadonlySet<string>;
  slots: readonly SlotName[];
  place: number;
}

function wordsOf(marked: string): string[] {
  return marked.match(/\{[a-z0-9]+\}|[\p{L}\p{N}]+(?:[-.,:'][\p{L}\p{N}]+)*/gu) ?? [];
}

const contentOf = (marked: string): string[] => wordsOf(marked).filter((word) => !SHELL.has(word));

/** A phrase with slots in the form that an entity-marked text has: plural marks and prepositions belong to the entity. */
function markTemplate(text: string): string {
  return foldText(text)
    .replace(/\{currency\}s/g, '{currency}')
    .replace(/\bin (?=\{(?:currency|colour)\})/g, '')
    .replace(/\bon (?=\{day\})/g, '')
    .replace(/\b(?:to|in|for) (?=\{country\})/g, '')
    .replace(/\bfrom (?=\{from\})/g, '')
    .replace(/\bto (?=\{to\})/g, '')
    .replace(/\bversion (?=\{version\})/g, '')
    .replace(/\{rank\} one\b/g, '{rank}');
}

/** Finds the phrase that a text says, in any courtesy around it; the most explained words win. */
export class PhraseIndex<Id> {
  /** Phrases under their rarest word: only those whose rarest word was said need a look. */
  private readonly byWord = new Map<string, Indexed<Id>[]>();

  constructor(phrases: Iterable<Phrase<Id>>) {
    const list: Indexed<Id>[] = [];
    const frequency = new Map<string, number>();
    for (const { id, text } of phrases) {
      const words = new Set(contentOf(markTemplate(text)));
      const slots = [...words].filter((word) => word.startsWith('{')).map((word) => word.slice(1, -1) as SlotName);
      if (words.size > 0) list.push({ id, words, slots, place: list.length });
      for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
    }
    for (const phrase of list) {
      const rarest = [...phrase.words].reduce((a, b) => ((frequency.get(b) ?? 0) < (frequency.get(a) ?? 0) ? b : a));
      this.byWord.set(rarest, [...(this.byWord.get(rarest) ?? []), phrase]);
    }
  }

  /** The phrase with the most words among those said whole; the earlier one where two have as many. */
  private longest(said: ReadonlySet<string>): Indexed<Id> | undefined {
    let best: Indexed<Id> | undefined;
    for (const word of said) {
      for (const phrase of this.byWord.get(word) ?? []) {
        const gain = phrase.words.size - (best?.words.size ?? 0);
        if (gain < 0 || (gain === 0 && best !== undefined && phrase.place > best.place)) continue;
        if ([...phrase.words].every((one) => said.has(one))) best = phrase;
      }
    }
    return best;
  }

  match(text: string): PhraseMatch<Id> | undefined {
    const marked = markEntities(text);
    const said = contentOf(marked.text);
    const chosen = this.longest(new Set(said));
    if (chosen === undefined) return undefined;
    const slots: Slots = {};
    for (const slot of chosen.slots) {
      const value = marked.slots[slot];
      if (value !== undefined) slots[slot] = value;
    }
    return { id: chosen.id, slots, residual: said.filter((word) => !chosen.words.has(word)) };
  }
}
