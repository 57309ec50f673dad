import type { Slots } from './entities.js';
import { FOLLOW_UPS, type FollowUpKind } from './follow-ups.js';
import { fillFrame } from './frames.js';
import { step, type DialogueState, type Resolved } from './dialogue.js';
import type { IntentSpec } from './intent.js';
import { INTENTS, intentNamed, WORDING_KINDS } from './intents.js';
import { SeededRandom } from './seeded-random.js';
import { fillSlots, otherSlot, sampleSlot, sampleSlots } from './slot-values.js';

export interface GeneratorOptions {
  seed: number;
  count: number;
  /** Turns of a conversation, drawn evenly; a closing turn may be the last of them. */
  minTurns?: number;
  maxTurns?: number;
  /** Share of the turns after the first that refer to what was said before. */
  followUpShare?: number;
  /** Share of the first mentions that repeat, in whatever words, something asked before. */
  repeatShare?: number;
  /** Share of wordings that are drawn freely; the others are the intent's usual wording. */
  paraphraseShare?: number;
  /** Share of the first mentions that differ from something asked before in one detail only. */
  nearMissShare?: number;
  /** Exponent of the popularity of intents. */
  zipfExponent?: number;
}

export interface ConversationTurn {
  /** `<conversation>.<turn>`, from 0. */
  id: string;
  user: string;
  /** Canonical identity of the right answer at this place of the conversation. */
  answerKey: string;
  intent: string;
  slots: Slots;
  followUp?: FollowUpKind;
  /** An earlier first mention with the same right answer in other words. */
  paraphraseOf?: string;
  /** An earlier first mention that differs in one detail and has another right answer. */
  nearMissOf?: string;
}

export interface Conversation {
  id: string;
  turns: ConversationTurn[];
}

interface Mention {
  turnId: string;
  intent: IntentSpec;
  slots: Slots;
  answerKey: string;
  /** The wording without its slots filled in, to be kept by a near-miss. */
  wording: string;
  text: string;
}

const DEFAULTS = {
  minTurns: 1,
  maxTurns: 6,
  followUpShare: 0.5,
  repeatShare: 0.35,
  paraphraseShare: 0.65,
  nearMissShare: 0.15,
  zipfExponent: 0.9,
};

/** How often a follow-up is tried, relative to the others; closings and greetings have chances of their own. */
const WEIGHTS: Partial<Record<FollowUpKind, number>> = {
  ordinal: 8,
  'ordinal-price': 8,
  'same-order': 4,
  'same-product': 4,
  'same-day': 6,
  'same-country': 6,
  yes: 4,
  no: 2,
  more: 1,
  repeat: 1,
  why: 1,
  thanks: 0,
  bye: 0,
  hello: 0,
};
const USUAL_WEIGHT = 3;
const WEIGHTED_FOLLOW_UPS = FOLLOW_UPS.flatMap((spec) =>
  Array.from({ length: WEIGHTS[spec.kind] ?? USUAL_WEIGHT }, () => spec),
);

const CLOSINGS: readonly FollowUpKind[] = ['thanks', 'bye'];
const CLOSING_CHANCE = 0.3;
const GREETING_CHANCE = 0.03;
const CASUAL_CHANCE = 0.15;
const REMEMBERED = 3_000;
const TRIES = 40;

type Settings = GeneratorOptions & typeof DEFAULTS;

/** Every framed wording of an intent whose slots are exactly `slots`, defaults counting as not said. */
function wordingsFor(intent: IntentSpec, slots: Slots): string[] {
  const wordings: string[] = [];
  for (const { field, frames } of WORDING_KINDS) {
    for (const phrase of intent[field] ?? []) {
      const unsaid = Object.entries(intent.defaults ?? {}).every(
        ([slot, value]) => phrase.includes(`{${slot}}`) || slots[slot as keyof Slots] === value,
      );
      if (unsaid) for (const frame of frames) wordings.push(fillFrame(frame, phrase));
    }
  }
  return wordings;
}

class Generator {
  private readonly random: SeededRandom;
  private readonly mentions: Mention[] = [];
  private readonly firstByKey = new Map<string, Mention>();

  constructor(private readonly settings: Settings) {
    this.random = new SeededRandom(settings.seed);
  }

  conversation(number: number): Conversation {
    const id = `c${number}`;
    const turns: ConversationTurn[] = [];
    let state: DialogueState = {};
    const length = this.random.between(this.settings.minTurns, this.settings.maxTurns);
    for (let place = 0; place < length; place += 1) {
      const turnId = `${id}.${place}`;
      const closing = place === length - 1 && place > 0 && this.random.chance(CLOSING_CHANCE);
      const followUp = place > 0 && this.random.chance(this.settings.followUpShare);
      const turn =
        (closing ? this.said(turnId, state, this.random.pick(CLOSINGS)) : undefined) ??
        (place === 0 && this.random.chance(GREETING_CHANCE) ? this.said(turnId, state, 'hello') : undefined) ??
        (followUp ? this.followUp(turnId, state) : undefined) ??
        this.firstMention(turnId, state);
      turns.push(turn);
      ({ state } = step(state, turn.user));
    }
    return { id, turns };
  }

  /** A follow-up that has an answer after this state; undefined if none was found. */
  private followUp(turnId: string, state: DialogueState): ConversationTurn | undefined {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const kind = this.invited(state) ?? this.random.pick(WEIGHTED_FOLLOW_UPS).kind;
      const turn = this.said(turnId, state, kind);
      if (turn !== undefined && turn.intent !== 'clarify') return turn;
    }
    return undefined;
  }

  /** What the last answer invites: a choice from its list, or a word about its offer. */
  private invited(state: DialogueState): FollowUpKind | undefined {
    if (state.topic?.intent.id === 'catalogue.list' && this.random.chance(0.6)) {
      return this.random.pick(['ordinal', 'ordinal-price']);
    }
    if (state.offer !== undefined && this.random.chance(0.3)) return this.random.pick(['yes', 'yes', 'no']);
    return undefined;
  }

  private said(turnId: string, state: DialogueState, kind: FollowUpKind): ConversationTurn | undefined {
    const spec = FOLLOW_UPS.find((candidate) => candidate.kind === kind);
    if (spec === undefined) return undefined;
    const wording = this.wording(spec.wordings);
    const slots: Slots = {};
    for (const [, slot] of wording.matchAll(/\{([a-z0-9]+)\}/g)) {
      slots[slot as keyof Slots] = sampleSlot(slot as keyof Slots, this.random);
    }
    const user = this.casual(fillSlots(wording, slots));
    return { ...turnOf(turnId, user, step(state, user).resolved), followUp: kind };
  }

  private firstMention(turnId: string, state: DialogueState): ConversationTurn {
    const { repeatShare, nearMissShare } = this.settings;
    const draw = this.random.next();
    let nearMissOf: string | undefined;
    let chosen: { intent: IntentSpec; slots: Slots; wording: string } | undefined;
    if (this.mentions.length > 0 && draw < nearMissShare) {
      const near = this.nearMiss(this.random.pick(this.mentions));
      nearMissOf = near?.of;
      chosen = near;
    } else if (this.mentions.length > 0 && draw < nearMissShare + repeatShare) {
      const { intent, slots } = this.random.pick(this.mentions);
      chosen = { intent, slots, wording: this.wording(wordingsFor(intent, slots)) };
    }
    chosen ??= this.fresh();
    const user = this.casual(fillSlots(chosen.wording, chosen.slots));
    const turn = turnOf(turnId, user, step(state, user).resolved);
    if (nearMissOf !== undefined) turn.nearMissOf = nearMissOf;
    this.remember(turn, chosen);
    return turn;
  }

  private fresh(): { intent: IntentSpec; slots: Slots; wording: string } {
    const intent = INTENTS[this.random.zipf(INTENTS.length, this.settings.zipfExponent)] ?? intentNamed('order.status');
    const sampled = sampleSlots(intent, this.random);
    const slots = this.random.chance(0.7) ? { ...sampled, ...intent.defaults } : sampled;
    return { intent, slots, wording: this.wording(wordingsFor(intent, slots)) };
  }

  /** The same wording with another value in one slot, or the wording of an intent that is easily taken for this one. */
  private nearMiss(from: Mention): { intent: IntentSpec; slots: Slots; wording: string; of: string } | undefined {
    const swap = this.swapped(from);
    if (swap !== undefined) return swap;
    const twins = (from.intent.nearMisses ?? []).map(intentNamed);
    const slot = from.intent.slots.length > 0 ? this.random.pick(from.intent.slots) : undefined;
    if (slot !== undefined && (twins.length === 0 || this.random.chance(0.6))) {
      const value = from.slots[slot];
      if (value === undefined || !from.wording.includes(`{${slot}}`)) return undefined;
      const slots = { ...from.slots, [slot]: otherSlot(slot, value, this.random) };
      if (slots.product2 === slots.product && slots.product !== undefined) return undefined;
      if (slots.from === slots.to && slots.to !== undefined) return undefined;
      return { intent: from.intent, slots, wording: from.wording, of: from.turnId };
    }
    if (twins.length === 0) return undefined;
    const intent = this.random.pick(twins);
    const slots: Slots = { ...sampleSlots(intent, this.random), ...intent.defaults };
    for (const shared of intent.slots) slots[shared] = from.slots[shared] ?? slots[shared] ?? '';
    return { intent, slots, wording: this.alike(from, wordingsFor(intent, slots)), of: from.turnId };
  }

  /** The wording at the same place in the other intent's list, where the two lists run side by side. */
  private alike(from: Mention, wordings: readonly string[]): string {
    const own = wordingsFor(from.intent, from.slots);
    const place = own.length === wordings.length ? own.indexOf(from.wording) : -1;
    return wordings[place] ?? this.wording(wordings);
  }

  /** "From A to B" turned into "from B to A". */
  private swapped(from: Mention): { intent: IntentSpec; slots: Slots; wording: string; of: string } | undefined {
    const { slots } = from;
    if (this.random.chance(0.5)) return undefined;
    const turned: Slots = { ...slots };
    if (slots.from !== undefined && slots.to !== undefined) {
      turned.from = slots.to;
      turned.to = slots.from;
    } else if (slots.product !== undefined && slots.product2 !== undefined) {
      turned.product = slots.product2;
      turned.product2 = slots.product;
    } else return undefined;
    return { intent: from.intent, slots: turned, wording: from.wording, of: from.turnId };
  }

  private remember(turn: ConversationTurn, said: { intent: IntentSpec; slots: Slots; wording: string }): void {
    const first = this.firstByKey.get(turn.answerKey);
    if (first !== undefined && first.text !== turn.user) turn.paraphraseOf = first.turnId;
    const mention: Mention = { ...said, turnId: turn.id, answerKey: turn.answerKey, text: turn.user };
    if (first === undefined) this.firstByKey.set(turn.answerKey, mention);
    this.mentions.push(mention);
    if (this.mentions.length > REMEMBERED) this.mentions.shift();
  }

  /** The usual wording is the first one; the others are drawn evenly. */
  private wording(wordings: readonly string[]): string {
    const usual = wordings[0] ?? '';
    return this.random.chance(this.settings.paraphraseShare) ? this.random.pick(wordings) : usual;
  }

  /** Some people type without capitals and without a mark at the end. */
  private casual(text: string): string {
    if (!this.random.chance(CASUAL_CHANCE * this.settings.paraphraseShare)) return text;
    return (text.charAt(0).toLowerCase() + text.slice(1)).replace(/[.?!]$/, '');
  }
}

function turnOf(id: string, user: string, resolved: Resolved): ConversationTurn {
  const { answerKey, intent, slots } = resolved;
  return { id, user, answerKey, intent, slots };
}

/** Conversations with the help desk and the right answer's identity at each turn; the same options give the same ones. */
export function generateConversations(options: GeneratorOptions): Conversation[] {
  const generator = new Generator({ ...DEFAULTS, ...options });
  return Array.from({ length: options.count }, (_, number) => generator.conversation(number));
}

/** All framed wordings of an intent by name, slots in braces: for tests and for writing pair files. */
export function wordingsOf(intentId: string): string[] {
  const intent = intentNamed(intentId);
  const all = WORDING_KINDS.flatMap(({ field, frames }) =>
    (intent[field] ?? []).flatMap((phrase) => frames.map((frame) => fillFrame(frame, phrase))),
  );
  return [...new Set(all)];
}
