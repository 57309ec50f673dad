import { requestHeaders, responseHeaders } from './headers.js';

export interface HeaderMeaning {
  /** Values, in words. */
  readonly values: string;
  readonly meaning: string;
}

const tighten = 'A caller may only tighten: a value that would loosen is ignored and named in `x-cache-reason`.';

/** Headers that a caller may send, by name in lower case; those of HTTP itself come first. */
export const requestHeaderMeanings: Readonly<
  Record<(typeof requestHeaders)[keyof typeof requestHeaders] | 'authorization' | 'cache-control', HeaderMeaning>
> = {
  authorization: {
    values: '`Bearer <key>`',
    meaning: 'Decides the tenant, by hash of the key. Passed upstream unless the configuration holds the upstream key.',
  },
  'cache-control': {
    values: '`no-cache`, `no-store`, `max-age=<seconds>`, `only-if-cached`',
    meaning:
      'Do not read; neither read nor write; no older answer than that; answer 504 instead of asking the upstream.',
  },
  [requestHeaders.mode]: {
    values: '`off`, `shadow`, `read_only`, `write_only`, `on`',
    meaning: `The mode of this request. ${tighten}`,
  },
  [requestHeaders.namespace]: {
    values: 'up to 64 of `A-Z a-z 0-9 . _ -`; anything else is taken as its hash',
    meaning: "A sub-space inside the caller's own namespace; it cannot leave it.",
  },
  [requestHeaders.conversation]: {
    values: 'any text',
    meaning: 'Identity of the conversation. Without it the conversation is told from its messages.',
  },
  [requestHeaders.conversationEnd]: {
    values: '`true`, `1`, `yes` or nothing; `false`, `0`, `no`',
    meaning:
      'This request is the last of its conversation: what was judged of it counts at once, without waiting for `cache.conversationIdleMs`, and a further request begins anew.',
  },
  [requestHeaders.maxRisk]: { values: '0 … 1', meaning: `Largest accepted risk of a reuse. ${tighten}` },
  [requestHeaders.tags]: {
    values: 'list with commas, percent-encoded where needed; up to 32 of up to 200 characters',
    meaning: 'Tags of the entry that this request may store, for purges.',
  },
};

/** Headers of the gateway's answers, by name in lower case. */
export const responseHeaderMeanings: Readonly<
  Record<(typeof responseHeaders)[keyof typeof responseHeaders], HeaderMeaning>
> = {
  [responseHeaders.cache]: {
    values: '`hit-exact`, `hit-semantic`, `coalesced`, `miss`, `bypass`',
    meaning: 'What the cache did. On every answer.',
  },
  [responseHeaders.reason]: {
    values: 'one word of [reasons](reasons.md), then `; ignored=…` for headers that were ignored',
    meaning: 'Why. On every answer.',
  },
  [responseHeaders.entry]: { values: 'id', meaning: 'The entry that was served, or the nearest one that was refused.' },
  [responseHeaders.shadow]: {
    values: '`hit-exact`, `hit-semantic`',
    meaning: 'In shadow mode: what would have been served.',
  },
  [responseHeaders.similarity]: {
    values: '−1 … 1',
    meaning: 'Cosine of the two messages, where the semantic tier looked at an entry.',
  },
  [responseHeaders.risk]: {
    values: '0 … 1',
    meaning:
      'Estimated probability that the reuse is wrong. Only from rules that estimate it; `strict-similarity` does not.',
  },
  [responseHeaders.riskBound]: {
    values: '0 … 1',
    meaning: 'Upper confidence bound of the false-hit rate in force. As above.',
  },
  [responseHeaders.snapshot]: { values: 'number', meaning: 'Version of the learned state that decided. As above.' },
  [responseHeaders.savedUsd]: {
    values: 'US dollars',
    meaning: 'What the stored answer cost upstream, by the price card of its model. On hits.',
  },
  [responseHeaders.age]: { values: 'seconds', meaning: 'Age of the stored answer (RFC 9111). On hits.' },
  [responseHeaders.requestId]: { values: 'id', meaning: 'Identity of this request, for feedback and `explain`.' },
};
