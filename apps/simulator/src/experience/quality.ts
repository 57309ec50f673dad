import type { Answers } from '../llm/chat-model.js';
import type { ExperienceOptions } from './experience-run.js';

const tokens = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s]/gu, ' ')
    .split(/\s+/)
    .filter((token) => token !== '' && !['a', 'an', 'the', 'and'].includes(token));

/** Without a model: the share of the answer's words that stand in what was found. An upper bound of what could be read off it. */
export const foundShare: ExperienceOptions['quality'] = ({ answer }, found, corpus) => {
  const wanted = tokens(answer);
  if (wanted.length === 0) return 0;
  const seen = new Set([...found, ...corpus].flatMap(tokens));
  return wanted.filter((token) => seen.has(token)).length / wanted.length;
};

/** Token F1 of an answer and the gold one. */
export function tokenF1(answer: string, gold: string): number {
  const [said, wanted] = [tokens(answer), tokens(gold)];
  const left = new Map<string, number>();
  for (const token of wanted) left.set(token, (left.get(token) ?? 0) + 1);
  let common = 0;
  for (const token of said) {
    const count = left.get(token) ?? 0;
    if (count === 0) continue;
    left.set(token, count - 1);
    common += 1;
  }
  return common === 0 ? 0 : (2 * common) / (said.length + wanted.length);
}

/** With a model: F1 of its answer. */
export const answeredBy =
  (answers: Answers): ExperienceOptions['quality'] =>
  async (question, found, corpus) => {
    const prompt = [
      'Answer the question about a conversation in as few words as possible.',
      `What was said:\n${corpus.join('\n')}`,
      `Earlier questions:\n${found.join('\n\n') || 'none'}`,
      `Q: ${question.text}\nA:`,
    ].join('\n\n');
    return tokenF1(await answers.ask(prompt), question.answer);
  };
