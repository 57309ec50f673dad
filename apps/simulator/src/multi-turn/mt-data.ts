import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createRng, seedOf } from '@reprise/kernel';
import { dataSetDir } from '../data-dir.js';
import { SgdJudge, type SgdFacts, sgdFacts, type SgdSchema, type SgdTurn } from './sgd-judge.js';

/** The data sets of the multi-turn tables. */
export const mtSets = ['taskmaster3-prefixes', 'sgd-ticketing', 'tutoring-mathdial'] as const;
export type MtSetName = (typeof mtSets)[number];

/** One request of a conversation and its logged answer. */
export interface Exchange {
  /** Number of its conversation, in the order of the run. */
  readonly conversation: number;
  readonly user: string;
  readonly assistant: string;
  /** The newest four messages as one text. */
  readonly recent: string;
  /** Estimated tokens of the request with its history, and of the answer. */
  readonly inTokens: number;
  readonly outTokens: number;
  readonly facts: MtFacts;
}

/** What the judge compares. */
export type MtFacts =
  | { readonly kind: 'sgd'; readonly facts: SgdFacts }
  /** Hash of what must be equal; the wording is compared by vectors. */
  | { readonly kind: 'equal'; readonly key: string };

export interface MtData {
  readonly name: MtSetName;
  readonly exchanges: readonly Exchange[];
  /** First exchange of each conversation, and one past the last. */
  readonly starts: readonly number[];
  readonly schema?: SgdSchema;
}

interface Turn {
  readonly user: string;
  readonly assistant?: string;
  readonly calls?: readonly unknown[];
  readonly moves?: readonly unknown[];
}

interface Conversation {
  readonly id: string;
  readonly problem?: unknown;
  readonly opening?: string | { readonly assistant: string };
  readonly turns: readonly Turn[];
}

/** Conversations at most: sgd-ticketing has 4,848, and similarities of all pairs of requests are computed. */
const mostConversations = 1500;
const sgdConversations = 800;
const newest = 4;
const charactersAToken = 4;

const linesOf = (path: string): unknown[] =>
  gunzipSync(readFileSync(path))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);

/** A set in one random order of its conversations; `share` of them (for tests). */
export function loadMtData(root: string, name: MtSetName, seed: number, share = 1): MtData {
  const dir = dataSetDir(root, name);
  const file = name === 'tutoring-mathdial' ? 'dialogues.jsonl.gz' : 'conversations.jsonl.gz';
  const all = (linesOf(join(dir, file)) as Conversation[]).filter(({ turns }) => answered(turns).length >= 2);
  const most = Math.ceil(share * (name === 'sgd-ticketing' ? sgdConversations : mostConversations));
  const chosen = shuffled(all, seed).slice(0, Math.min(most, Math.ceil(share * all.length)));
  const starts = [0];
  const exchanges: Exchange[] = [];
  chosen.forEach((conversation, number) => {
    exchanges.push(...exchangesOf(conversation, number, name));
    starts.push(exchanges.length);
  });
  if (name !== 'sgd-ticketing') return { name, exchanges, starts };
  const schema = JSON.parse(gunzipSync(readFileSync(join(dir, 'schema.json.gz'))).toString('utf8')) as SgdSchema;
  return { name, exchanges, starts, schema };
}

/** Every text that must have a vector. */
export function textsOf({ exchanges }: MtData): Set<string> {
  return new Set(exchanges.flatMap(({ user, assistant, recent }) => [user, assistant, recent]));
}

function shuffled(all: readonly Conversation[], seed: number): Conversation[] {
  const sorted = [...all].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const rng = createRng(seedOf(['multi-turn', String(seed)]));
  for (let at = sorted.length - 1; at > 0; at--) {
    const other = Math.floor(rng.next() * (at + 1));
    [sorted[at], sorted[other]] = [sorted[other] as Conversation, sorted[at] as Conversation];
  }
  return sorted;
}

/** The exchanges up to the first without an answer. */
function answered(turns: readonly Turn[]): readonly Turn[] {
  const end = turns.findIndex(({ assistant }) => assistant === undefined || assistant === '');
  return end === -1 ? turns : turns.slice(0, end);
}

function exchangesOf(conversation: Conversation, number: number, name: MtSetName): Exchange[] {
  const { opening, turns } = conversation;
  const first = typeof opening === 'string' ? opening : opening?.assistant;
  const said = first === undefined || first === '' ? [] : [first];
  const sgd = name === 'sgd-ticketing' ? sgdFacts(turns as unknown as SgdTurn[]) : [];
  return answered(turns).map((turn, at) => {
    const { user, assistant = '' } = turn;
    said.push(user);
    const inTokens = Math.ceil(said.reduce((sum, text) => sum + text.length, 0) / charactersAToken);
    const recent = said.slice(-newest).join('\n');
    said.push(assistant);
    const facts = sgd[at];
    return {
      ...{ conversation: number, user, assistant, recent, inTokens },
      outTokens: Math.ceil(assistant.length / charactersAToken),
      facts: facts === undefined ? { kind: 'equal', key: keyOf(turn, conversation, name) } : { kind: 'sgd', facts },
    };
  });
}

function keyOf({ calls = [], moves = [], assistant = '' }: Turn, { problem }: Conversation, name: MtSetName): string {
  const facts =
    name === 'tutoring-mathdial'
      ? [problem, moves, assistant.match(/\d+/g) ?? []]
      : [calls, namedValues(calls, assistant)];
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 22);
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

/** Judges by the labels that the sets have; `likeReplies`: cosine of two logged replies. */
export function judgeOf(
  { exchanges, schema }: MtData,
  likeReplies: (cached: number, query: number) => number,
): (cached: number, query: number) => boolean {
  const judge = new SgdJudge(schema ?? {});
  return (cached, query) => {
    const [a, b] = [exchanges[cached]?.facts, exchanges[query]?.facts];
    if (a?.kind === 'sgd' && b?.kind === 'sgd') return judge.generallyAcceptable(a.facts, b.facts);
    if (a?.kind !== 'equal' || b?.kind !== 'equal' || a.key !== b.key) return false;
    return likeReplies(cached, query) >= leastLikeness;
  };
}

/** Two replies of equal facts say the same from here on: without it, all that names no fact would do for each other. */
const leastLikeness = 0.8;

export const judgeNames: Readonly<Record<MtSetName, string>> = {
  'sgd-ticketing': 'the general label of its README',
  'taskmaster3-prefixes': 'equal calls, equal values of them in the replies, and replies of cosine ≥ .8',
  'tutoring-mathdial': 'a proxy: the same problem, move and numbers, and replies of cosine ≥ .8',
};
