import type { CacheOutcome } from './headers.js';

/** Where a reason word comes from; the sections of docs/reference/reasons.md. */
export type ReasonGroup = 'served' | 'asked' | 'request' | 'exact-only' | 'nearest' | 'guard' | 'degraded';

export interface Reason {
  readonly group: ReasonGroup;
  /** Values of `x-cache` that it can stand beside. */
  readonly with: readonly CacheOutcome[];
  readonly meaning: string;
}

const served = (outcome: CacheOutcome, meaning: string): Reason => ({ group: 'served', with: [outcome], meaning });
const bypass = (group: ReasonGroup, meaning: string): Reason => ({ group, with: ['bypass'], meaning });
const miss = (group: ReasonGroup, meaning: string): Reason => ({ group, with: ['miss'], meaning });

/** The one table of `x-cache-reason` (docs/reference/reasons.md is generated from it; a test finds words that are not in it). */
export const reasons = {
  'equal-request': served('hit-exact', 'The whole request equals a stored one.'),
  equal: served('hit-semantic', 'Both messages are equal once case, courtesy and end punctuation are folded.'),
  'same-words': served(
    'hit-semantic',
    'Both messages are the same words in the same order once the question frame is taken off.',
  ),
  aligned: served('hit-semantic', 'Every word of one message stands for one word of the other.'),
  'within-budget': served('hit-semantic', 'Its estimated risk is at most the threshold that keeps the error budget.'),
  similar: served('hit-semantic', 'The thresholds of the comparison rule in force are reached and no guard refuses.'),
  'single-flight': served('coalesced', 'An equal request was under way; both got its answer.'),

  'no-store': bypass('asked', '`Cache-Control: no-store`: neither read nor written.'),
  'no-cache': miss('asked', '`Cache-Control: no-cache`: not read; the fresh answer replaces the stored one.'),
  'mode-off': bypass('asked', 'The mode in force is `off`.'),
  'mode-no-read': miss('asked', 'The mode in force only writes.'),
  shadow: miss('asked', 'Shadow mode: `x-cache-shadow` says what would have been served.'),
  paused: { group: 'asked', with: ['bypass', 'miss'], meaning: 'An operator has paused the namespace.' },
  'semantic-off': miss('asked', 'The policy serves nothing by similarity (`coldStart: none`).'),
  'decision-exact': miss('asked', 'The policy answers equal requests only (`decision: exact`).'),
  temperature: miss('asked', 'The temperature is above `semanticMaxTemperature`: the exact tier only.'),
  'max-risk': miss('asked', '`x-reprise-max-risk` is below what the rule in force can promise.'),

  'not-cacheable-route': bypass('request', 'The cache has no part in this route.'),
  malformed: bypass('request', 'The body is not what the API describes; the upstream says what is wrong with it.'),
  'multiple-choices': bypass('request', '`n` is not 1.'),
  'stored-upstream': bypass('request', '`store: true`: the provider is to keep this exchange.'),
  'live-search': bypass('request', 'The answer is to come from a web search.'),
  'audio-output': bypass('request', 'The answer is to be something else than text.'),
  'media-by-reference': bypass('request', 'A picture or file is named by its address, where its content can change.'),
  'unknown-content': bypass('request', 'A part of a message is of a kind that the cache does not know.'),
  'ill-formed-text': bypass('request', 'A text holds half a character (a lone surrogate).'),
  'duplicate-keys': bypass(
    'request',
    'A member stands twice in one object: parsers differ in which of them they take.',
  ),
  'inexact-number': bypass('request', 'A whole number is beyond 2^53: two different ones would read alike.'),
  'too-deep': bypass('request', 'The body nests deeper than `limits.jsonDepth`.'),
  'too-many-messages': bypass('request', 'There are more messages than `limits.maxMessages`.'),

  'exact-only': miss('exact-only', 'Only an equal request could have been answered.'),
  'no-text': miss('exact-only', 'The last message is not a text of the user.'),
  'tool-turn': miss('exact-only', 'The last message is the result of a tool.'),
  media: miss('exact-only', 'A message holds more than text.'),
  logprobs: miss('exact-only', 'Log probabilities are asked for.'),
  'no-words': miss('exact-only', 'The message has neither a letter nor a digit.'),
  empty: miss('exact-only', 'The message is blank.'),
  'too-long': miss('exact-only', "The message is longer than the model's window or `limits.semanticMaxChars`."),
  'follow-up': miss('exact-only', 'The rule in force serves first messages only.'),

  'no-candidate': miss('nearest', 'No entry of the same stratum is near.'),
  'below-threshold': miss('nearest', 'The nearest entry is not similar enough for the comparison rule in force.'),
  'context-differs': miss(
    'nearest',
    'The message is similar, but the conversation before it is not (comparison rules).',
  ),
  'not-first-turn': miss('nearest', 'The nearest entry answers a later message of a conversation.'),
  'fingerprint-version': miss('nearest', "The nearest entry's fingerprint cannot be read by this version."),
  gone: miss('nearest', 'The chosen entry was purged, evicted or quarantined a moment before.'),
  'too-old': miss('nearest', 'The chosen entry is older than allowed.'),
  'policy-changed': miss('nearest', 'The policy changed between decision and serving.'),
  risk: miss('nearest', 'The estimated risk of the best candidate is above the threshold.'),
  'cold-start-closed': miss('nearest', 'Judged reuses showed the cold-start rule to be over the error budget.'),
  'breaker-open': miss('nearest', 'Too many reuses were wrong of late: nothing is served by similarity.'),
  'snapshot-changed': miss('nearest', 'What was learned since the decision no longer allows it.'),

  version: miss('guard', 'The two fingerprints were made by different versions of the parser.'),
  'foreign-specifics': miss(
    'guard',
    'The stored answer holds a number, a date, an identifier, a currency or a name that its own conversation named and this one has not.',
  ),
  currency: miss('guard', 'The stored answer gives money in another currency than the one that is asked for.'),
  'time-dependent': miss('guard', 'The answer depends on when it is asked, and the stored one is not fresh enough.'),
  personal: miss('guard', 'The answer depends on who asks, and the stored one was for another user.'),
  case: miss('guard', 'The messages differ in capitals that change the meaning.'),
  cosine: miss('guard', 'The messages are not similar enough.'),
  length: miss('guard', 'A message is too long to be analysed.'),
  language: miss('guard', 'A message is in a language that the rule cannot analyse, or the two are in different ones.'),
  code: miss('guard', 'Code, addresses, quoted texts or signs differ.'),
  format: miss('guard', 'Another output format or language is asked for.'),
  'no-content': miss('guard', 'Nothing is left of a message once courtesy is taken off.'),
  referent: miss('guard', 'A message points at something that is not in it.'),
  number: miss('guard', 'Numbers, dates, units or versions differ.'),
  negation: miss('guard', 'A negation is on one side only or before another word.'),
  name: miss('guard', 'Names or identifiers differ.'),
  'question-type': miss('guard', 'The messages ask in different ways (how, what, why, …).'),
  tense: miss('guard', 'One asks of the past or future, the other not.'),
  modal: miss('guard', 'May, should or would differ.'),
  pronoun: miss('guard', 'The persons differ, or who does what to whom.'),
  preposition: miss('guard', 'A preposition or conjunction that changes the meaning differs.'),
  opposite: miss('guard', 'A word of a pair of opposites, degrees or directions differs.'),
  unaligned: miss('guard', 'A word of one message has no counterpart in the other.'),
  order: miss('guard', 'The same words stand in another order, and order may matter.'),

  'cache-slow': bypass('degraded', 'The cache did not decide within `limits.addedLatencyMs`.'),
  'cache-unavailable': bypass('degraded', 'Redis cannot be used.'),
  'decision-late': miss('degraded', 'The learned rule did not decide within `limits.addedLatencyMs`.'),
  'embedder-busy': miss('degraded', "The embedder's queue is full: the exact tier only."),
  'embedder-timeout': miss('degraded', 'The embedder was late: the exact tier only.'),
  'embedder-unavailable': miss('degraded', 'There is no embedding model: the exact tier only.'),
} as const satisfies Readonly<Record<string, Reason>>;

export type ReasonWord = keyof typeof reasons;
