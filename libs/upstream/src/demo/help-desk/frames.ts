/** Everyday wordings around a verb phrase: "How do I …". */
export const ACT_FRAMES: readonly string[] = [
  'How do I {x}?',
  'How can I {x}?',
  'How could I {x}?',
  'How would I {x}?',
  "What's the way to {x}?",
  'What is the best way to {x}?',
  'Please tell me how to {x}.',
  'Can you tell me how to {x}?',
  'Could you explain how to {x}?',
  'I want to {x}. How do I do so?',
  "I'd like to {x}, how do I go about doing so?",
  'I need to {x}. What are the steps?',
  'What do I need to do to {x}?',
  'What do I have to do to {x}?',
  'Hello, how do I {x}?',
  'Show me how to {x}, please.',
  'Is there a way to {x}?',
  'Can you help me {x}?',
];

/** Wordings around a noun phrase: "Tell me …". */
export const NOUN_FRAMES: readonly string[] = [
  'What is {x}?',
  "What's {x}?",
  'Can you tell me {x}?',
  'Could you tell me {x}, please?',
  'Please tell me {x}.',
  "I'd like to know {x}.",
  'I would like to know {x}, please.',
  'Do you know {x}?',
  'Could you give me {x}?',
  'I need to know {x}.',
  'Let me know {x}, please.',
  'Hi, can you tell me {x}?',
  'Would you tell me {x}?',
  'Please give me {x}.',
];

/** Wordings around a whole question. */
export const QUESTION_FRAMES: readonly string[] = [
  '{x}?',
  'Hi, {x}?',
  'Hello, {x}?',
  'Please tell me: {x}?',
  'Quick question: {x}?',
];

/** Wordings around a question turned into a clause. */
export const CLAUSE_FRAMES: readonly string[] = [
  'Can you tell me {x}?',
  'Could you tell me {x}?',
  'Do you know {x}?',
  "I'd like to know {x}.",
  'I want to know {x}.',
  'Please tell me {x}.',
  'I was wondering {x}.',
  'Would you tell me {x}, please?',
  'I need to know {x}.',
];

/** Words that carry no meaning of their own here; negations, directions and pronouns other than persons are not among them. */
const SHELL_WORDS = `a an the i me my we us our you your do does did doing is are was am be been will would can could may should
  have has to of for about at with and so then please tell know how what which if whether there way steps best explain show help
  let give need want like hello hi hey good morning afternoon evening quick question go wondering thanks thank kindly some
  any just now really here`;

export const SHELL: ReadonlySet<string> = new Set(SHELL_WORDS.split(/\s+/));

/** Fills a frame; a frame that begins with the phrase gets a capital letter. */
export function fillFrame(frame: string, phrase: string): string {
  const text = frame.replace('{x}', () => phrase);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
