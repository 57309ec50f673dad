import { step, type DialogueState, type Resolved } from './dialogue.js';
import { userTexts, type DemoMessage } from './messages.js';
import { pickBy } from './seeded-random.js';

export interface GroundTruth {
  /** The right answer as the demo upstream words it. */
  text: string;
  /** Canonical identity of the right answer. */
  answerKey: string;
  intent: string;
}

const OPENINGS = ['', '', 'Sure. ', 'Of course. ', 'Happy to help. ', 'Good question. '];
const ENDINGS = ['', '', '', ' Anything else I can do for you?', ' Let me know if anything is unclear.'];

function resolve(messages: readonly DemoMessage[]): { resolved: Resolved; texts: string[] } {
  const texts = userTexts(messages);
  let state: DialogueState = {};
  let resolved: Resolved = { intent: 'hello', answerKey: 'hello', text: 'Hello! What can I do for you?', slots: {} };
  for (const text of texts) ({ resolved, state } = step(state, text));
  return { resolved, texts };
}

/** The right answer to the last user message after the ones before; system, assistant and tool messages do not count. */
export function answerFor(messages: readonly DemoMessage[]): GroundTruth {
  const { resolved, texts } = resolve(messages);
  const said = texts.join('\n');
  const ending = resolved.text.endsWith('?') ? '' : pickBy(ENDINGS, `end:${said}`);
  return {
    text: pickBy(OPENINGS, said) + resolved.text + ending,
    answerKey: resolved.answerKey,
    intent: resolved.intent,
  };
}

/** Whether a text is the right answer to the last user message after the ones before, in whatever courtesy around it. */
export function isRightAnswer(messages: readonly DemoMessage[], text: string): boolean {
  const { resolved } = resolve(messages);
  const cores = OPENINGS.filter((opening) => text.startsWith(opening)).flatMap((opening) => {
    const rest = text.slice(opening.length);
    return ENDINGS.filter((ending) => rest.endsWith(ending)).map((ending) =>
      rest.slice(0, rest.length - ending.length),
    );
  });
  return cores.includes(resolved.text);
}

/** Whether one answer is right for both conversations. */
export function isSameAnswer(first: readonly DemoMessage[], second: readonly DemoMessage[]): boolean {
  return answerFor(first).answerKey === answerFor(second).answerKey;
}
