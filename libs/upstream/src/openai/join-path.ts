/**
 * The path at the provider for a gateway path: a base URL that has a path of its own already names the version
 * (as OpenAI clients expect), so our `/v1` is replaced by it; a bare host gets our path as it is.
 */
export function joinUpstreamPath(base: URL, path: string): string {
  const prefix = base.pathname.replace(/\/+$/, '');
  const own = path.startsWith('/') ? path : `/${path}`;
  if (prefix === '') return own + extraQuery(base, own);
  const rest = own.replace(/^\/v1(?=\/|\?|$)/, '');
  return prefix + rest + extraQuery(base, rest);
}

/** A base URL may carry a fixed query (`?api-version=…`); it is kept on every request. */
function extraQuery(base: URL, path: string): string {
  if (base.search.length <= 1) return '';
  return (path.includes('?') ? '&' : '?') + base.search.slice(1);
}
