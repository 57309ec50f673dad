import { hashWord } from '../../risk/word-hashes.js';
import { languagePack } from '../languages/registry.js';
import { detectLanguage } from '../languages/detect.js';
import type { AnswerPrint, NamedSpecifics, SpokenText } from './answer.types.js';
import { currenciesOf, type Specific, specificsOf, type Writing } from './specifics.js';

/** Most specifics that are kept of an answer, 7 bytes each. */
const MOST_TAKEN = 96;
/** Characters of a conversation that are read to know what an answer took from it. */
const MOST_READ = 262_144;
/** Newest characters of a conversation that are read to know what it named; older ones count as not said. */
const MOST_NAMED = 65_536;

const framing = new Set(['system', 'developer']);
const hashOf = (form: string): string => hashWord(form).toString(36);

function writingOf(text: string): Writing {
  const language = detectLanguage(text);
  return {
    nounsAreCapitalised: languagePack(language)?.nounsAreCapitalised === true,
    everydayWordsAreKnown: language === 'en',
  };
}

const read = (text: string): Specific[] => specificsOf(text, writingOf(text));
/** Which words are names does not matter. */
const anyWriting: Writing = { nounsAreCapitalised: false, everydayWordsAreKnown: false };

/** What all of these messages name, the framing ones included. */
export function namedSpecifics(messages: readonly SpokenText[]): NamedSpecifics {
  const forms = new Set<string>();
  let asked: ReadonlySet<string> = new Set();
  let left = MOST_NAMED;
  for (const { role, text } of messages.toReversed()) {
    if (left <= 0) break;
    const specifics = specificsOf(text.slice(-left), anyWriting);
    left -= text.length;
    for (const { forms: own } of specifics) for (const form of own) forms.add(hashOf(form));
    if (role === 'user' && asked.size === 0) asked = currenciesOf(specifics);
  }
  return { forms, asked };
}

interface Said {
  /** Forms of what any message named. */
  readonly any: Set<string>;
  /** Forms of what anybody but the assistant named. */
  readonly told: Set<string>;
  /** Forms of what messages of the conversation proper named; the frame of both is equal. */
  readonly spoken: Set<string>;
  /** Forms that were written as names. */
  readonly names: Set<string>;
}

function saidIn(messages: readonly SpokenText[]): Said {
  const said: Said = { any: new Set(), told: new Set(), spoken: new Set(), names: new Set() };
  for (const { role, text } of messages) {
    for (const { kind, forms } of read(text)) {
      for (const form of forms) {
        said.any.add(form);
        if (role !== 'assistant') said.told.add(form);
        if (!framing.has(role)) said.spoken.add(form);
      }
      if (kind === 'name' && !framing.has(role)) for (const form of forms) said.names.add(form);
    }
  }
  return said;
}

/** The form by which the conversation named it, undefined when it did not or when it is no specific. */
function takenForm({ kind, forms, everyday }: Specific, said: Said): string | undefined {
  if (kind === 'sure') return forms.find((form) => said.any.has(form));
  if (kind === 'count') return forms.find((form) => said.told.has(form));
  if (kind === 'part') return forms.find((form) => said.spoken.has(form));
  // Written as a name there or here; an everyday word must be one on both sides.
  if (kind === 'word') return everyday ? undefined : forms.find((form) => said.names.has(form));
  return forms.find((form) => (everyday ? said.names : said.spoken).has(form));
}

/** What an answer took from the messages that it answers. */
export function answerPrint(answer: string, messages: readonly SpokenText[]): AnswerPrint {
  const length = answer.length + messages.reduce((sum, { text }) => sum + text.length, 0);
  if (length > MOST_READ) return { taken: [], tooMany: true, currencies: [], asked: [] };
  const specifics = read(answer);
  const said = saidIn(messages);
  const taken = new Set<string>();
  for (const specific of specifics) {
    const form = takenForm(specific, said);
    if (form !== undefined) taken.add(hashOf(form));
  }
  const { asked } = namedSpecifics(messages.filter(({ role }) => role === 'user'));
  const tooMany = taken.size > MOST_TAKEN;
  return {
    taken: tooMany ? [] : [...taken].sort(),
    tooMany,
    currencies: [...currenciesOf(specifics)].sort(),
    asked: [...asked].sort(),
  };
}

/** Compact text; `''` says that nothing was taken and no currency is spoken of. */
export function encodeAnswerPrint({ taken, tooMany, currencies, asked }: AnswerPrint): string {
  const text = [tooMany ? '*' : taken.join(' '), currencies.join(' '), asked.join(' ')].join('|');
  return text === '||' ? '' : text;
}

/** Reads what {@link encodeAnswerPrint} wrote. */
export function decodeAnswerPrint(text: string): AnswerPrint {
  const [taken = '', currencies = '', asked = ''] = text.split('|');
  const list = (part: string): string[] => (part === '' ? [] : part.split(' '));
  const tooMany = taken === '*';
  return { taken: tooMany ? [] : list(taken), tooMany, currencies: list(currencies), asked: list(asked) };
}
