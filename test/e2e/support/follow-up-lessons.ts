import { createTransformersEmbedder, type ManagedEmbedder } from '@reprise/embeddings';
import {
  ConversationFollower,
  type Dossier,
  FEATURE_VERSION,
  fitAxes,
  fitKlr,
  KLR_DEFAULTS,
  pairFeatures,
  SCORED,
  serialiseKnowledge,
  type TextFacts,
  textMarks,
  stateCosines,
  type TurnState,
  withLocalClasses,
} from '@reprise/policy';
import { join } from 'node:path';
import { repoRoot } from './process.js';

/** One language of a shop: what may be asked for, how, and what is said then. No names, no numbers. */
export interface Shop {
  readonly language: string;
  readonly things: readonly string[];
  /** Things that no lesson names. */
  readonly unseen: readonly [string, string];
  readonly openings: readonly ((thing: string) => string)[];
  readonly reply: (thing: string) => string;
  /** Follow-ups with a pronoun, and messages that only refer back. */
  readonly followUps: readonly string[];
  readonly answer: (thing: string) => string;
}

export const shops: readonly Shop[] = [
  {
    language: 'English',
    things: ['a kettle', 'a bicycle', 'a lamp', 'a carpet', 'a backpack', 'a mirror'],
    unseen: ['an umbrella', 'a guitar'],
    openings: [(x) => `Do you sell ${x}?`, (x) => `Is there ${x} in your shop?`],
    reply: (x) => `Yes, there is ${x} in the shop.`,
    followUps: ['How much is it?', 'Can I return it?', 'continue', 'yes', 'do it', 'the second one', 'what about him?'],
    answer: (x) => `With ${x} that is no problem at all.`,
  },
  {
    language: 'German',
    things: ['einen Wasserkocher', 'ein Fahrrad', 'eine Lampe', 'einen Teppich', 'einen Rucksack', 'einen Spiegel'],
    unseen: ['einen Regenschirm', 'eine Gitarre'],
    openings: [(x) => `Verkauft ihr auch ${x}?`, (x) => `Gibt es bei euch ${x}?`],
    reply: (x) => `Ja, bei uns gibt es ${x}.`,
    followUps: [
      'Wie viel kostet das?',
      'Kann ich das umtauschen?',
      'weiter',
      'ja',
      'mach das',
      'das zweite',
      'und er?',
    ],
    answer: (x) => `Für ${x} ist das gar kein Problem.`,
  },
  {
    language: 'Spanish',
    things: ['una tetera', 'una bicicleta', 'una lámpara', 'una alfombra', 'una mochila', 'un espejo'],
    unseen: ['un paraguas', 'una guitarra'],
    openings: [(x) => `¿Venden ustedes ${x}?`, (x) => `¿Hay ${x} en la tienda?`],
    reply: (x) => `Sí, en la tienda hay ${x}.`,
    followUps: ['¿Cuánto cuesta?', '¿Puedo devolverlo?', 'continúa', 'sí', 'hazlo', 'el segundo', '¿y él?'],
    answer: (x) => `Para ${x} no hay ningún problema.`,
  },
  {
    language: 'French',
    things: ['une bouilloire', 'un vélo', 'une lampe', 'un tapis', 'un sac à dos', 'un miroir'],
    unseen: ['un parapluie', 'une guitare'],
    openings: [(x) => `Vendez-vous ${x} ?`, (x) => `Est-ce que vous avez ${x} en magasin ?`],
    reply: (x) => `Oui, nous avons ${x} en magasin.`,
    followUps: ['Combien ça coûte ?', 'Je peux le rendre ?', 'continue', 'oui', 'fais-le', 'le deuxième', 'et lui ?'],
    answer: (x) => `Pour ${x} il n'y a aucun problème.`,
  },
  {
    language: 'Japanese',
    things: ['やかん', '自転車', 'ランプ', 'じゅうたん', 'リュック', '鏡'],
    unseen: ['傘', 'ギター'],
    openings: [(x) => `${x}を売っていますか？`, (x) => `お店に${x}はありますか？`],
    reply: (x) => `はい、お店に${x}がございます。`,
    followUps: ['それはいくらですか？', '返品できますか？', '続けて', 'はい', 'そうして', '二番目', '彼は？'],
    answer: (x) => `${x}なら問題ありません。`,
  },
];

export interface Said {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** Opening, reply, follow-up. */
export const conversation = (shop: Shop, thing: string, opening: number, followUp: string): readonly Said[] => [
  { role: 'user', content: shop.openings[opening]?.(thing) ?? '' },
  { role: 'assistant', content: shop.reply(thing) },
  { role: 'user', content: followUp },
];

interface Lesson extends Dossier {
  readonly thing: string;
  readonly opening: number;
  readonly followUp: string;
  readonly state: TurnState;
}

type Facts = (text: string) => Promise<TextFacts>;

async function lessonOf(shop: Shop, thing: string, opening: number, followUp: string, facts: Facts): Promise<Lesson> {
  const [first, reply, last] = await Promise.all(
    conversation(shop, thing, opening, followUp).map(({ content }) => facts(content)),
  );
  const nothing = await facts('');
  const follower = new ConversationFollower(nothing);
  follower.tell(first ?? nothing);
  follower.answer(reply ?? nothing);
  const state = follower.ask(last ?? nothing);
  return { thing, opening, followUp, state, reply: await facts(shop.answer(thing)) };
}

/** Lists of candidates: what was said after each opening, to be reused after the others. */
async function* listsOf(shop: Shop, facts: Facts): AsyncGenerator<[asked: Lesson, held: Lesson[]]> {
  const after = new Map<string, Lesson[]>();
  for (const thing of shop.things)
    for (const opening of shop.openings.keys())
      after.set(
        `${thing} ${opening}`,
        await Promise.all(shop.followUps.map((followUp) => lessonOf(shop, thing, opening, followUp, facts))),
      );
  for (const [at, thing] of shop.things.entries())
    for (const opening of shop.openings.keys())
      for (const asked of after.get(`${thing} ${opening}`) ?? [])
        // The same thing in the other wording, and another thing.
        for (const held of [
          `${thing} ${1 - opening}`,
          `${shop.things[(at + 1 + opening) % shop.things.length]} ${opening}`,
        ])
          yield [asked, after.get(held) ?? []];
}

function openEmbedder(): Promise<ManagedEmbedder> {
  const modelDir = process.env['REPRISE_MODEL_DIR'] ?? join(repoRoot, '.cache/model');
  return createTransformersEmbedder({ modelDir, dtype: 'q8', threads: 1, timeoutMs: 30_000 });
}

/** What a worker would learn from labels that say: right in another wording, wrong for another thing or another message. */
export async function learnedKnowledge(): Promise<string> {
  const embedder = await openEmbedder();
  const known = new Map<string, TextFacts>();
  const facts: Facts = async (text: string): Promise<TextFacts> => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const embedded = text === '' ? undefined : await embedder.embed(text);
    if (embedded?.ok === false) throw new Error(`${text}: ${embedded.reason}`);
    const made = { vector: embedded?.vector ?? new Float32Array(384), marks: textMarks(text) };
    known.set(text, made);
    return made;
  };
  try {
    const lists: [Lesson, Lesson[]][] = [];
    for (const shop of shops) for await (const list of listsOf(shop, facts)) lists.push(list);
    const axes = fitAxes([...known.values()].map(({ vector }) => vector));
    const rows: Float64Array[] = [];
    const rejected: number[] = [];
    for (const [asked, held] of lists) {
      const similarity = (one: Lesson): number => stateCosines(asked.state, one.state).similarity;
      const near = [...held].sort((a, b) => similarity(b) - similarity(a));
      rows.push(pairFeatures(asked.state, withLocalClasses(near, SCORED), axes));
      rejected.push(
        ...near.map(({ thing, followUp }) => (thing === asked.thing && followUp === asked.followUp ? 0 : 1)),
      );
    }
    const flat = Float64Array.from(rows.flatMap((some) => [...some]));
    const labels = { rows: flat, count: rejected.length, rejected: Float64Array.from(rejected) };
    const model = fitKlr(labels, { ...KLR_DEFAULTS, landmarks: 256 });
    return serialiseKnowledge({ featureVersion: FEATURE_VERSION, axes, model });
  } finally {
    await embedder.close();
  }
}
