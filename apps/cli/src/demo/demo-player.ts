import { type Conversation, DEMO_FINGERPRINT } from '@reprise/upstream';
import { askGateway, type ChatMessage, type ChatReply, type ChatTarget } from '../gateway/chat-client.js';
import { CommandError } from '../io.js';
import type { Tally } from './tally.js';
import type { Truth } from './truth.js';

/** Plays conversations, some at a time, each turn by turn with the answers that were really served in its history. */
export async function playConversations(
  target: ChatTarget,
  conversations: readonly Conversation[],
  truth: Truth,
  tally: Tally,
  concurrency: number,
  signal: AbortSignal,
): Promise<void> {
  let next = 0;
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const lane = async (): Promise<void> => {
    for (let at = next++; at < conversations.length; at = next++) {
      await playOne(target, conversations[at] as Conversation, at, truth, tally, either);
      tally.endConversation();
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(concurrency, conversations.length) }, lane));
  } catch (error) {
    // The other lanes would go on asking for nothing.
    stop.abort(error);
    throw error;
  }
}

async function playOne(
  target: ChatTarget,
  conversation: Conversation,
  number: number,
  truth: Truth,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const messages: ChatMessage[] = [];
  for (const [place, turn] of conversation.turns.entries()) {
    messages.push({ role: 'user', content: turn.user });
    const reply = await askGateway(target, messages, signal);
    assertDemo(target, reply);
    tally.add(reply, truth.judge(number, place, reply.text), turn);
    // Without its answer the rest of a conversation would be another one.
    if (reply.status >= 400) return;
    messages.push({ role: 'assistant', content: reply.text });
  }
}

/** Only the demo upstream's answers have a known ground truth. */
function assertDemo({ url }: ChatTarget, { status, cache, systemFingerprint }: ChatReply): void {
  if (status >= 400) return;
  if (cache === '') throw new CommandError(`what answers at ${url} sends no x-cache header: it is no Reprise gateway.`);
  if (systemFingerprint !== DEMO_FINGERPRINT)
    throw new CommandError(
      `the gateway at ${url} asks another upstream than the built-in demo, so nobody knows which answers are right. Start one without OPENAI_API_KEY and OPENAI_BASE_URL.`,
    );
}
