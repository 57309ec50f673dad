// Conversations of sgd-ticketing as a client, an upstream and a judge see them: by their texts alone.
import { stableHash } from '@reprise/kernel';
import { generallyAcceptable, turnFacts } from './judge.mjs';

export const MODEL = 'sgd';
/** What a judge is shown of a history. */
const SHOWN = 16;

const keyOf = (texts) => JSON.stringify(texts);

/** How the gateway names a conversation that a header names. */
export const conversationName = (id) => `x-${stableHash([id], 24)}`;

/**
 * The exchanges of the conversations in order, with what the texts say: `replyTo(messages)`, the logged reply, and
 * `truth(texts)`, 1 for a wrong reuse. Where two conversations say the same up to a message, the first one counts for both.
 * `newest`: only so many exchanges of each conversation are asked, its last ones, with all that was said before.
 */
export function sgdStream(conversations, newest = Infinity) {
  const byHistory = new Map();
  const byShown = new Map();
  const byReply = new Map();
  const exchanges = conversations.map((conversation) => {
    const facts = turnFacts(conversation);
    const said = [];
    const all = conversation.turns.map((turn, t) => {
      said.push(turn.user);
      const known = { reply: turn.assistant, facts: facts[t] };
      const whole = keyOf(said);
      if (!byHistory.has(whole)) byHistory.set(whole, known);
      const shown = keyOf(said.slice(-SHOWN - 1));
      if (!byShown.has(shown)) byShown.set(shown, known);
      if (!byReply.has(turn.assistant)) byReply.set(turn.assistant, known);
      const { reply } = byHistory.get(whole);
      const messages = said.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content }));
      said.push(turn.assistant);
      return {
        id: `${conversation.id}/${t}`,
        conversation: conversation.id,
        request: { model: MODEL, messages },
        reply,
        last: t === conversation.turns.length - 1,
      };
    });
    return all.slice(-newest);
  });
  return {
    exchanges,
    replyTo: (messages) => byHistory.get(keyOf(messages.map(({ content }) => content)))?.reply,
    truth({ history, message, candidate }) {
      const asked = byShown.get(keyOf([...history.map(({ text }) => text), message]));
      const cached = byReply.get(candidate);
      if (asked === undefined || cached === undefined) return undefined;
      return generallyAcceptable(cached.facts, asked.facts) ? 0 : 1;
    },
  };
}

/** An exchange as a record of a trace, asked under the id that the gateway gave it. */
export const recordOf = ({ id, conversation, request, reply, last }, requestId) => ({
  id,
  conversation: conversationName(conversation),
  request,
  reply: {
    message: { role: 'assistant', content: reply },
    finishReason: 'stop',
    promptTokens: 10,
    completionTokens: 10,
    counted: true,
  },
  user: '',
  requestId,
  ...(last ? { last: true } : {}),
});
