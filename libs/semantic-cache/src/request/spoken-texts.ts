import type { SpokenText } from '@reprise/policy';
import { type ChatRequest, textOf } from './chat-request.js';

/** The texts of all messages, oldest first; what a tool was called with counts as said. */
export function spokenTexts({ messages }: ChatRequest): SpokenText[] {
  return messages.map((turn) => {
    const calls = turn['tool_calls'];
    const called = calls === undefined || calls === null ? '' : `\n${JSON.stringify(calls)}`;
    return { role: turn.role, text: `${textOf(turn) ?? ''}${called}` };
  });
}
