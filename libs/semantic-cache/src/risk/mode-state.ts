import { type ComparisonRule, type DecisionMode, type ModeContext, type NamespacePolicy } from '@reprise/policy';
import { comparisonRule, indexName } from '@reprise/policy';
import type { CacheDependencies } from '../dependencies.js';
import type { EmbedOutcome } from '../ports/embedder.port.js';
import { canonicalText } from '../request/canonical-text.js';
import { type ChatRequest, isFraming, textOf } from '../request/chat-request.js';
import type { IndexLayout } from '../request/chat-state.js';
import { firstTurnVector, stateVector } from '../request/state-vector.js';
import { readState } from './state-reading.js';

/** Where a request lies for a comparison rule. */
export interface ModeState {
  /** What the index holds, a unit vector. */
  readonly vector: Float32Array;
  /** The second vector that must match; absent: the conversation has none. */
  readonly context?: Float32Array;
}

type EmbedFailure = Extract<EmbedOutcome, { ok: false }>['reason'];
export type ModeStateOutcome =
  { readonly ok: true; readonly state: ModeState } | { readonly ok: false; readonly reason: EmbedFailure };

type Deps = Pick<CacheDependencies, 'embedder' | 'layout' | 'limits'>;

/** x = [√.7 q; √.3 h] (algorithms.md §2.1). */
const joint: IndexLayout = { name: 'joint', message: 0.7, previousReply: 0, history: 0.3 };

/** The comparison rule of a policy; undefined when something else decides. */
export const ruleOf = ({ decision, comparison }: NamespacePolicy): ComparisonRule | undefined =>
  comparisonRule(decision satisfies DecisionMode, comparison);

/** The index that a policy's rule looks into, by name. */
export function layoutOf(policy: NamespacePolicy, learned: IndexLayout): Pick<IndexLayout, 'name'> {
  const rule = ruleOf(policy);
  return rule === undefined ? learned : { name: indexName(rule) };
}

/** The state of a request as the rule looks at it; fails as the embedder fails. */
export async function readModeState(deps: Deps, request: ChatRequest, rule: ComparisonRule): Promise<ModeStateOutcome> {
  const placed = await placeOf(deps, request, rule);
  if (!placed.ok || rule.context === 'none') return placed.ok ? { ok: true, state: placed } : placed;
  const context = await contextOf(deps, request, rule.context, rule.messages);
  if (!context.ok) return context;
  const { vector } = placed;
  return { ok: true, state: context.vector === undefined ? { vector } : { vector, context: context.vector } };
}

type Placed =
  { readonly ok: true; readonly vector: Float32Array } | { readonly ok: false; readonly reason: EmbedFailure };

function placeOf(deps: Deps, request: ChatRequest, { index, messages }: ComparisonRule): Promise<Placed> {
  if (index === 'message') return deps.embedder.embed(messageOf(request));
  return index === 'joint' ? jointState(deps, request) : newestMessages(deps, request, messages);
}

async function jointState(deps: Deps, request: ChatRequest): Promise<Placed> {
  const outcome = await readState(deps, request);
  if (!outcome.ok) return outcome;
  const { message, history, historyMessages } = outcome.state.turn;
  if (historyMessages === 0) return { ok: true, vector: firstTurnVector(message.vector) };
  return { ok: true, vector: stateVector(joint, message.vector, undefined, history) };
}

/** The newest messages as one text; of those that the model cannot see whole together, the oldest are left out. */
async function newestMessages(deps: Deps, request: ChatRequest, count: number): Promise<Placed> {
  const spoken = request.messages.filter((turn) => !isFraming(turn)).slice(-count);
  const texts = spoken.map((turn) => textOf(turn) ?? '').filter((text) => text !== '');
  for (let from = 0; ; from++) {
    const outcome = await deps.embedder.embed(canonicalText(texts.slice(from).join('\n')));
    if (outcome.ok || outcome.reason !== 'too-long' || from + 1 >= texts.length) return outcome;
  }
}

async function contextOf(
  deps: Deps,
  request: ChatRequest,
  context: ModeContext,
  messages: number,
): Promise<
  { readonly ok: true; readonly vector?: Float32Array } | { readonly ok: false; readonly reason: EmbedFailure }
> {
  const said = request.messages.filter(({ role }) => role === 'user').map((turn) => canonicalText(textOf(turn) ?? ''));
  const wanted = context === 'parent' ? said.slice(-2, -1) : said.slice(-messages);
  const texts = wanted.filter((text) => text !== '');
  if (texts.length === 0) return { ok: true };
  const outcomes = await Promise.all(texts.map((text) => deps.embedder.embed(text)));
  const sum = new Float64Array(deps.embedder.dimensions);
  for (const outcome of outcomes) {
    if (!outcome.ok) return outcome;
    outcome.vector.forEach((value, i) => (sum[i] = (sum[i] as number) + value));
  }
  const norm = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
  return { ok: true, vector: Float32Array.from(sum, (value) => (norm > 0 ? value / norm : 0)) };
}

function messageOf(request: ChatRequest): string {
  const last = request.messages.at(-1);
  return last === undefined ? '' : canonicalText(textOf(last) ?? '');
}
