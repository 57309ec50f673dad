import { VERDICT_SCHEMA } from '@reprise/semantic-cache';
import type { DemoChatRequest } from './demo-request.js';
import { isRightAnswer } from './help-desk/ground-truth.js';
import { messageText, type DemoMessage } from './help-desk/messages.js';

const block = /^BEGIN-([0-9a-f]+) ([A-Z]+)\n(.*)\nEND-\1$/gm;

export const isJudgePrompt = ({ schemaName, messages }: DemoChatRequest): boolean =>
  schemaName === VERDICT_SCHEMA &&
  ['CONVERSATION', 'MESSAGE', 'CANDIDATE'].every((name) => blocksOf(messages).has(name));

/** The material of a judge prompt by name, and the call's mark under ''. */
function blocksOf(messages: readonly DemoMessage[]): ReadonlyMap<string, unknown> {
  const blocks = new Map<string, unknown>();
  for (const [, mark, name = '', json = ''] of messageText(messages.at(-1) ?? { role: 'user' }).matchAll(block)) {
    blocks.set('', mark);
    blocks.set(name, JSON.parse(json));
  }
  return blocks;
}

/** The verdict of one who knows what is right: the demo judges its own answers by the help desk's ground truth. */
export function demoVerdict({ messages }: DemoChatRequest): string {
  const blocks = blocksOf(messages);
  const history = blocks.get('CONVERSATION') as readonly { role: string; text: string }[];
  const said: DemoMessage[] = history.map(({ role, text: content }) => ({ role, content }));
  said.push({ role: 'user', content: blocks.get('MESSAGE') });
  const right = isRightAnswer(said, blocks.get('CANDIDATE') as string);
  const reason = right ? 'It is the answer to this question.' : 'It is the answer to another question.';
  return JSON.stringify({ call: blocks.get(''), reason, verdict: right ? 'accept' : 'reject' });
}
