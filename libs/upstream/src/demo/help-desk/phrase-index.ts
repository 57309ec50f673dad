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

/** Finds the phrase that a text says, in any courtesy around it; the fewest unexplained words win, then the most explained ones. */
export class PhraseIndex<Id> {
  private readonly phrases: Indexed<Id>[] = [];

  constructor(phrases: Iterable<Phrase<Id>>) {
    for (const { id, text } of phrases) {
      const words = new Set(contentOf(markTemplate(text)));
      const slots = [...words].filter((word) => word.startsWith('{')).map((word) => word.slice(1, -1) as SlotName);
      if (words.size > 0) this.phrases.push({ id, words, slots });
    }
  }

  match(text: string): PhraseMatch<Id> | undefined {
    const marked = markEntities(text);
    const said = contentOf(marked.text);
    const set = new Set(said);
    let best: Indexed<Id> | undefined;
    for (const phrase of this.phrases) {
      if (best !== undefined && phrase.words.size <= best.words.size) continue;
      if ([...phrase.words].every((word) => set.has(word))) best = phrase;
    }
    if (best === undefined) return undefined;
    const chosen = best;
    const slots: Slots = {};
    for (const slot of chosen.slots) {
      const value = marked.slots[slot];
      if (value !== undefined) slots[slot] = value;
    }
    return { id: chosen.id, slots, residual: said.filter((word) => !chosen.words.has(word)) };
  }
}
