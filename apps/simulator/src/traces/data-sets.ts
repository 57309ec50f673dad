import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createRng, seedOf } from '@reprise/kernel';
import type { ChatTurn } from '@reprise/semantic-cache';
import { dataSetDir } from '../data-dir.js';
import { readObjects } from './read-lines.js';
import type { TraceRecord } from './trace.types.js';

interface Turn {
  readonly user: string;
  readonly assistant?: string;
  readonly acts?: unknown;
  readonly calls?: readonly unknown[];
  readonly moves?: readonly unknown[];
}

interface Conversation {
  readonly id: string;
  readonly problem?: unknown;
  readonly opening?: string | { readonly assistant: string };
  readonly turns: readonly Turn[];
}

interface DataSet {
  readonly file: string;
  /** In what two exchanges must agree for one's answer to do for the other; what the README of the set offers for it. */
  readonly truth: (turn: Turn, conversation: Conversation) => unknown;
  readonly label: string;
}

/** Values of calls that a reply names. */
function namedValues(calls: readonly unknown[], reply: string): string[] {
  const values = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string' && value.length > 1 && reply.includes(value)) values.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  collect(calls);
  return [...values].sort();
}

export const dataSets: Readonly<Record<string, DataSet>> = {
  'sgd-ticketing': {
    file: 'conversations.jsonl.gz',
    truth: ({ acts }) => (acts as readonly unknown[]).map((act) => JSON.stringify(act)).sort(),
    label: 'strict: the acts of both replies are equal with their values',
  },
  'taskmaster3-prefixes': {
    file: 'conversations.jsonl.gz',
    truth: ({ calls = [], assistant = '' }) => [calls, namedValues(calls, assistant)],
    label: 'the calls are equal and the replies name the same values of them',
  },
  'tutoring-mathdial': {
    file: 'dialogues.jsonl.gz',
    truth: ({ moves = [], assistant = '' }, { problem }) => [problem, moves, assistant.match(/\d+/g) ?? []],
    label: 'a proxy: the same problem, the same move and the same numbers',
  },
};

function* recordsOf(conversation: Conversation, set: DataSet): Generator<TraceRecord> {
  const { id, opening, turns } = conversation;
  const first = typeof opening === 'string' ? opening : opening?.assistant;
  const messages: ChatTurn[] = first === undefined ? [] : [{ role: 'assistant', content: first }];
  for (const [at, turn] of turns.entries()) {
    const { user, assistant } = turn;
    messages.push({ role: 'user', content: user });
    if (assistant === undefined) return;
    const truth = createHash('sha256')
      .update(JSON.stringify(set.truth(turn, conversation)))
      .digest('hex');
    const message = { role: 'assistant', content: assistant };
    yield {
      id: `${id} ${at}`,
      request: { model: 'logged', messages: [...messages] },
      reply: {
        message,
        finishReason: 'stop',
        promptTokens: Math.ceil(JSON.stringify(messages).length / 4),
        completionTokens: Math.ceil(assistant.length / 4),
        counted: false,
      },
      user: '',
      conversation: id,
      truth: `label ${truth.slice(0, 16)}`,
    };
    messages.push(message);
  }
}

/** The exchanges of a stored data set, conversations in a random order by `seed`. */
export async function* readDataSet(root: string, name: string, seed: number): AsyncGenerator<TraceRecord> {
  const set = dataSets[name] as DataSet;
  const conversations: Conversation[] = [];
  for await (const { value } of readObjects(join(dataSetDir(root, name), set.file)))
    conversations.push(value as unknown as Conversation);
  const rng = createRng(seedOf(['order', name, String(seed)]));
  for (let at = conversations.length - 1; at > 0; at--) {
    const other = Math.floor(rng.next() * (at + 1));
    [conversations[at], conversations[other]] = [
      conversations[other] as Conversation,
      conversations[at] as Conversation,
    ];
  }
  for (const conversation of conversations) yield* recordsOf(conversation, set);
}
