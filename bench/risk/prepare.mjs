// Everything of a conversation set that does not depend on an order: states, axes, reply classes, nearest requests.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { ConversationFollower, decodeDossier, encodeDossier, fitAxes, textMarks } from '@reprise/policy';
import { conversationSets } from './dataset.mjs';
import { readVectors } from './embed.mjs';
import { turnFacts } from './judge.mjs';
import { eachBlock, largest } from './nearest.mjs';
import { numpyRng } from './numpy-random.mjs';

const folder = new URL('../../.cache/risk/', import.meta.url).pathname;
const SIZE = 384;
/** Nearest requests kept of each request, live or not, as in the reference. */
export const NEAREST = 96;
const AXES_FROM = 5000;
const MIX = { message: Math.sqrt(0.5), previous: Math.sqrt(0.3), history: Math.sqrt(0.2) };

async function nearestRequests(requests, name) {
  const file = `${folder}nearest-${name}.i32`;
  if (existsSync(file)) {
    const bytes = readFileSync(file);
    return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  }
  const wide = 3 * SIZE;
  const rows = new Float32Array(requests.length * wide);
  requests.forEach(({ state }, r) => {
    for (let j = 0; j < SIZE; j += 1) {
      rows[r * wide + j] = MIX.message * state.message.vector[j];
      rows[r * wide + SIZE + j] = MIX.previous * state.previous.vector[j];
      rows[r * wide + 2 * SIZE + j] = MIX.history * state.history[j];
    }
  });
  const nearest = new Int32Array(requests.length * NEAREST);
  await eachBlock(rows, wide, (from, height, data, count) => {
    for (let r = 0; r < height; r += 1) {
      const own = requests[from + r].conversation;
      const found = largest(data, r * count, count, NEAREST, (j) => requests[j].conversation === own);
      nearest.set(found, (from + r) * NEAREST);
    }
  });
  writeFileSync(file, Buffer.from(nearest.buffer));
  return nearest;
}

/** Leader clusters over the distinct replies in one random order, as in the reference. */
async function replyClasses(replies, bars, name) {
  const file = `${folder}classes-${name}.json`;
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const order = numpyRng(3).permutation(replies.length);
  const rows = new Float32Array(replies.length * SIZE);
  order.forEach((reply, r) => rows.set(replies[reply].vector, r * SIZE));
  const classes = bars.map(() => new Array(replies.length));
  const leaders = bars.map(() => []);
  await eachBlock(rows, SIZE, (from, height, data, count) => {
    for (let r = 0; r < height; r += 1) {
      bars.forEach((bar, b) => {
        let best = -1;
        let nearest = bar;
        for (const leader of leaders[b]) {
          const value = data[r * count + leader];
          if (best === -1 ? value >= nearest : value > nearest) [best, nearest] = [leader, value];
        }
        if (best === -1) leaders[b].push((best = from + r));
        classes[b][order[from + r]] = best;
      });
    }
  });
  writeFileSync(file, JSON.stringify(classes));
  return classes;
}

function textFacts() {
  const { texts, vectors } = readVectors();
  const index = new Map(texts.map((text, i) => [text, i]));
  const facts = new Map();
  return (text) => {
    if (!facts.has(text)) {
      const at = index.get(text) * SIZE;
      const vector = vectors.subarray(at, at + SIZE);
      facts.set(text, { vector, marks: textMarks(text) });
    }
    return facts.get(text);
  };
}

/** The axes come from the first 5,000 requests of set A and their replies, without labels. */
function frozenAxes(conversations) {
  const file = `${folder}axes.json`;
  if (existsSync(file)) {
    const { mean, directions, count } = JSON.parse(readFileSync(file, 'utf8'));
    return { mean: Float64Array.from(mean), directions: Float64Array.from(directions), count };
  }
  const { texts, vectors } = readVectors();
  const index = new Map(texts.map((text, i) => [text, i]));
  const vectorOf = (text) => vectors.subarray(index.get(text) * SIZE, (index.get(text) + 1) * SIZE);
  const turns = conversations.flatMap((conversation) => conversation.turns).slice(0, AXES_FROM);
  const axes = fitAxes([...turns.map((turn) => vectorOf(turn.user)), ...turns.map((turn) => vectorOf(turn.assistant))]);
  const { mean, directions, count } = axes;
  writeFileSync(file, JSON.stringify({ mean: [...mean], directions: [...directions], count }));
  return axes;
}

const tokens = (text) => text.split(/\s+/).length;

/** The prepared set: requests with state, entry, judge facts; rows by conversation; nearest requests. */
export async function prepare(name, most = Infinity, { stored = false } = {}) {
  mkdirSync(folder, { recursive: true });
  const sets = conversationSets();
  const axes = frozenAxes(sets.A);
  const factsOf = textFacts();
  const nothing = { vector: new Float32Array(SIZE), marks: textMarks('') };
  const requests = [];
  const conversations = sets[name].slice(0, most).map((conversation, c) => {
    const follower = new ConversationFollower(nothing);
    const facts = turnFacts(conversation);
    const first = requests.length;
    const said = [];
    conversation.turns.forEach((turn, t) => {
      said.push(turn.user);
      const state = follower.ask(factsOf(turn.user));
      const reply = factsOf(turn.assistant);
      const signature = JSON.stringify(turn.acts);
      requests.push({ conversation: c, id: `${conversation.id}/${t}`, state, reply, facts: facts[t], signature });
      // As one key: every message so far.
      requests.at(-1).key = JSON.stringify(said);
      said.push(turn.assistant);
      requests.at(-1).replyTokens = tokens(turn.assistant);
      requests.at(-1).goodbye = turn.acts.some((act) => act[1] === 'GOODBYE' || act[1] === 'REQ_MORE');
      follower.answer(reply);
    });
    return { id: conversation.id, first, end: requests.length };
  });
  const distinct = [...new Set(requests.map(({ reply }) => reply))];
  const [near80, near90] = await replyClasses(distinct, [0.8, 0.9], `${name}${requests.length}`);
  const at = new Map(distinct.map((reply, i) => [reply, i]));
  for (const request of requests) {
    const { state, reply } = request;
    request.class80 = near80[at.get(reply)];
    request.entry = { state, reply, replyClass: near90[at.get(reply)] };
    // As the gateway reads it: vectors with 8 bits a number.
    if (stored) request.stored = decodeDossier(encodeDossier({ state, reply }), SIZE);
  }
  const nearest = await nearestRequests(requests, `${name}${requests.length}`);
  return { conversations, requests, nearest, axes };
}
