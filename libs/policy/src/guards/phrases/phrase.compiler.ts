import { compilePattern } from '../languages/frame.compiler.js';
import { readWords, readWordSet } from '../languages/word-list.js';
import type { PhraseData, PhrasePack } from './phrase.types.js';

/** Scripts that put no blanks between words. */
const UNSPACED = new Set(['Han', 'Kana']);
/** Scripts that glue particles to the end of a word. */
const GLUED = new Set(['Hangul']);

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The longest alternative first, so that no prefix hides it. */
function alternatives(phrases: readonly string[]): string {
  return [...phrases].sort((a, b) => b.length - a.length).join('|');
}

function bounded(body: string, script: string): string {
  if (UNSPACED.has(script)) return `(?:${body})`;
  const start = '(?<![\\p{L}\\p{N}])';
  return GLUED.has(script) ? `${start}(?:${body})` : `${start}(?:${body})(?![\\p{L}\\p{N}])`;
}

function compilePoliteness({ politeness, script }: PhraseData): Pick<PhrasePack, 'please' | 'opening' | 'closing'> {
  const please = alternatives(politeness.please.map(escape));
  const social = alternatives([...politeness.greetings, ...politeness.thanks].map(escape));
  const everywhere = !UNSPACED.has(script) && !GLUED.has(script);
  const edges = `^(?:${please})[\\s,，、!！.。]*|[\\s,，、]*(?:${please})[\\s.!?。！？]*$`;
  return {
    please: new RegExp(everywhere ? bounded(please, script) : edges, 'gu'),
    opening: new RegExp(`^(?:${social})[\\s]*[,，、!！.。:]+\\s*(?=\\S)`, 'u'),
    closing: new RegExp(`[\\s]*[,，、.。!！?？]+\\s*(?:${social})[\\s.!。！]*$`, 'u'),
  };
}

function compileAccentedStart({ accentedQuestionWords }: PhraseData): RegExp | undefined {
  if (accentedQuestionWords.length === 0) return undefined;
  const bare = accentedQuestionWords.map((word) => word.normalize('NFD').replace(/\p{M}/gu, ''));
  return new RegExp(`^(?:${alternatives([...accentedQuestionWords, ...bare])})(?!\\p{L})`, 'u');
}

function compilePersonal({ personal, script }: PhraseData): RegExp[] {
  const fragments = {
    mine: `(?:${alternatives(readWords(personal.possessives))})`,
    noun: `(?:${alternatives(readWords(personal.nouns))})`,
  };
  return personal.patterns.map((pattern) => compilePattern(bounded(pattern, script), fragments));
}

/** Compiles the phrases of one language; throws on a bad pattern. */
export function compilePhrases(language: string, data: PhraseData): PhrasePack {
  const { referring, script } = data;
  const openers = alternatives(referring.openers.map((opener) => opener));
  return {
    language,
    functionWords: readWordSet(data.functionWords),
    accentedStart: compileAccentedStart(data),
    ...compilePoliteness(data),
    messages: new Set(referring.messages),
    opener: openers === '' ? undefined : new RegExp(`^(?:${openers})(?![\\p{L}\\p{N}])`, 'u'),
    pronouns: readWordSet(referring.pronouns),
    generic: readWordSet(referring.generic),
    referring: referring.patterns.map((pattern) => compilePattern(pattern)),
    expletives: referring.expletives.map((pattern) => compilePattern(pattern)),
    timeDependent: compilePattern(bounded(data.timeDependent.join('|'), script)),
    personal: compilePersonal(data),
  };
}
