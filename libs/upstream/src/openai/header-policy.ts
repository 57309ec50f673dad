/** HTTP headers as the ports carry them: lower-case names, repeated ones as arrays. */
export type HeaderMap = Record<string, string | string[]>;

/** Headers that belong to one connection (RFC 9110 §7.6.1) and must not cross the gateway. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers of a request that the HTTP client sets itself or refuses. */
const OWN_REQUEST = new Set(['host', 'expect']);

function connectionTokens(headers: HeaderMap): Set<string> {
  const tokens = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() !== 'connection') continue;
    for (const part of (Array.isArray(value) ? value.join(',') : value).split(',')) {
      tokens.add(part.trim().toLowerCase());
    }
  }
  return tokens;
}

/** Lower-cases names and drops every hop-by-hop header, also those that `Connection` names. */
export function stripHopByHop(headers: Readonly<Record<string, string | string[] | undefined>>): HeaderMap {
  const known: HeaderMap = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) known[name.toLowerCase()] = value;
  }
  const named = connectionTokens(known);
  const kept: HeaderMap = {};
  for (const [name, value] of Object.entries(known)) {
    if (!HOP_BY_HOP.has(name) && !named.has(name)) kept[name] = value;
  }
  return kept;
}

export interface ForwardOptions {
  /** The answer will be parsed: ask for it unencoded. Otherwise the caller's own `accept-encoding` goes through. */
  capture: boolean;
  /** Bytes are sent from memory: the client states their length itself. */
  bufferedBody: boolean;
  /** The configured upstream key; replaces the caller's `authorization`. */
  apiKey?: string;
}

/** The caller's headers as they go upstream: nothing of the connection, nothing of ours (`x-reprise-*`). */
export function forwardRequestHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  options: ForwardOptions,
): HeaderMap {
  const forwarded: HeaderMap = {};
  for (const [name, value] of Object.entries(stripHopByHop(headers))) {
    if (OWN_REQUEST.has(name) || name.startsWith('x-reprise-')) continue;
    if (name === 'content-length' && options.bufferedBody) continue;
    forwarded[name] = value;
  }
  if (options.capture) forwarded['accept-encoding'] = 'identity';
  if (options.apiKey !== undefined) forwarded['authorization'] = `Bearer ${options.apiKey}`;
  return forwarded;
}

/** Whether a reply's bytes can be read as they are: no content encoding, or only `identity`. */
export function isReadableEncoding(headers: HeaderMap): boolean {
  const value = headers['content-encoding'];
  const text = (Array.isArray(value) ? value.join(',') : (value ?? '')).trim().toLowerCase();
  return text === '' || text === 'identity';
}
