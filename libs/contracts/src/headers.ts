/** The one table of headers (docs/reference/headers.md is generated from it). */
export const requestHeaders = {
  mode: 'x-reprise-mode',
  namespace: 'x-reprise-namespace',
  conversation: 'x-reprise-conversation',
  conversationEnd: 'x-reprise-conversation-end',
  maxRisk: 'x-reprise-max-risk',
  tags: 'x-reprise-tags',
} as const;

export const responseHeaders = {
  cache: 'x-cache',
  reason: 'x-cache-reason',
  entry: 'x-cache-entry',
  shadow: 'x-cache-shadow',
  similarity: 'x-cache-similarity',
  risk: 'x-cache-risk',
  riskBound: 'x-cache-risk-bound',
  snapshot: 'x-cache-snapshot',
  savedUsd: 'x-cache-saved-usd',
  age: 'age',
  requestId: 'x-request-id',
} as const;

export type CacheOutcome = 'hit-exact' | 'hit-semantic' | 'coalesced' | 'miss' | 'bypass';
