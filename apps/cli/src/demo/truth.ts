import { answerFor, type Conversation, type DemoMessage } from '@reprise/upstream';

/** Whether a served answer was right: `unknown` for a text that no question of this run has as its answer. */
export type Verdict = 'right' | 'wrong' | 'unknown';

/** The right answers of all turns of a run, by conversation and turn and by text. */
export interface Truth {
  /** Judges the text that was served at a turn. */
  judge(conversation: number, turn: number, served: string): Verdict;
}

/**
 * What is right at each turn, and which questions each text is right for. Two questions may have one text as their right
 * answer, so a text is wrong only when none of the questions that it answers is this one.
 */
export function truthOf(conversations: readonly Conversation[]): Truth {
  const keysOfText = new Map<string, Set<string>>();
  const keys = conversations.map(({ turns }) => {
    const said: DemoMessage[] = [];
    return turns.map(({ user }) => {
      said.push({ role: 'user', content: user });
      const { text, answerKey } = answerFor(said);
      const known = keysOfText.get(text) ?? new Set();
      keysOfText.set(text, known.add(answerKey));
      return answerKey;
    });
  });
  return {
    judge(conversation, turn, served) {
      const answered = keysOfText.get(served);
      const asked = keys[conversation]?.[turn];
      if (answered === undefined || asked === undefined) return 'unknown';
      return answered.has(asked) ? 'right' : 'wrong';
    },
  };
}
