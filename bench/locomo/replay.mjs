// Evidence recall@5 over the raw turn stream of one conversation: turns are written to memory in order, questions come at a delay
// after their last evidence turn, and a question finds what is still there.
import { createRng, seedOf } from '@reprise/kernel';

const depth = 5;
const meanDelayTurns = 60;

/** When each question is asked: index of the turn after which it comes. */
export const delays = {
  'Exp(60 turns)': (last, turns, draw) => Math.min(turns - 1, last + Math.ceil(-meanDelayTurns * Math.log(draw()))),
  'uniform to the end': (last, turns, draw) => last + Math.floor(draw() * (turns - last)),
  'all at the end': (_last, turns) => turns - 1,
};

/** @returns {number[][]} for each turn, the questions asked after it */
export function schedule(conversation, delay, seed) {
  const rng = createRng(seedOf(['locomo', conversation.id, delay, String(seed)]));
  const after = conversation.turns.map(() => []);
  conversation.questions.forEach(({ evidence }, question) => {
    const at = delays[delay](Math.max(...evidence), conversation.turns.length, () => rng.next());
    after[at].push(question);
  });
  return after;
}

/** Which recalled turns count as used. `helped`: those the question needed; `recalled`: all (the paper's rule); `none`: no feedback. */
const credits = {
  helped: (recalled, evidence) => recalled.filter((turn) => evidence.includes(turn)),
  recalled: (recalled) => recalled,
  none: () => [],
};

/**
 * @param memory a policy (`CachePolicy`), fresh for the conversation
 * @param {{ after: number[][], credit: keyof typeof credits, explicit: boolean, onQuestion?: Function, onTurn?: Function }} options
 * @returns {{ recall: number, questions: number }} sum of the recalls
 */
export function replay(conversation, memory, options) {
  const rng = createRng(seedOf(['policy', conversation.id, String(options.seed)]));
  const seed = () => Math.floor(rng.next() * 2 ** 31);
  let recall = 0;
  let questions = 0;
  conversation.turns.forEach((_turn, turn) => {
    memory.admit({ requestId: `write ${turn}`, id: String(turn), explicit: options.explicit, seed: seed() });
    options.onTurn?.(String(turn), seed);
    for (const question of options.after[turn]) {
      const { evidence } = conversation.questions[question];
      const recalled = nearest(conversation.similarities[question], memory.ids());
      const found = evidence.filter((id) => recalled.includes(id)).length / evidence.length;
      const used = credits[options.credit](recalled, evidence).map(String);
      memory.feedback({ requestId: `question ${question}`, used, delta: 1 - found });
      options.onQuestion?.(evidence.map(String), `question ${question}`, seed);
      recall += found;
      questions += 1;
    }
  });
  return { recall, questions };
}

/** The five most similar live turns, exactly. */
function nearest(similarities, live) {
  const best = [];
  for (const id of live) {
    const turn = Number(id);
    const similarity = similarities[turn];
    if (best.length === depth && similarity <= best[depth - 1].similarity) continue;
    let at = best.length;
    while (at > 0 && best[at - 1].similarity < similarity) at -= 1;
    best.splice(at, 0, { turn, similarity });
    if (best.length > depth) best.pop();
  }
  return best.map(({ turn }) => turn);
}
