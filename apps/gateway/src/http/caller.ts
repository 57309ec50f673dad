import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type AppConfig, sharingOf, tenantOfKey } from '@reprise/config';
import { requestHeaders } from '@reprise/contracts';
import { RepriseError, stableHash } from '@reprise/kernel';

/** Who calls, and which namespace the call lives in. */
export interface Caller {
  readonly tenant: string;
  /** sha256 (hex) of the presented key; of the empty string when none was presented. */
  readonly keyHash: string;
  readonly ns: string;
}

const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Where clients put what tells them apart upstream; the first that is there is the caller's key. */
const credentialHeaders = ['authorization', 'api-key', 'x-api-key', 'x-goog-api-key', 'cookie'] as const;

const valueOf = (headers: IncomingHttpHeaders, name: string): string => String(headers[name] ?? '').trim();

/** The header that holds the caller's key; undefined when the caller shows none. */
export const keyHeaderOf = (headers: IncomingHttpHeaders): string | undefined =>
  credentialHeaders.find((name) => valueOf(headers, name) !== '');

/** The token of `Bearer <token>`, any other credential whole; '' when the caller shows none. */
function presentedKey(headers: IncomingHttpHeaders): string {
  const shown = valueOf(headers, keyHeaderOf(headers) ?? '');
  return /^Bearer\s+(\S+)$/i.exec(shown)?.[1] ?? shown;
}

/** A sub-space's name: plain names as given, anything else as a hash, so that no header can leave its tenant. */
function subspace(header: string | string[] | undefined): string {
  if (header === undefined || header === '') return '';
  const name = Array.isArray(header) ? header.join(',') : header;
  return plainName.test(name) && !name.startsWith('h-') ? `:${name}` : `:h-${stableHash([name], 24)}`;
}

/**
 * The caller of a request (architecture.md §1.2). Throws RP_ERR_UNAUTHENTICATED when keys are listed and this is none
 * of them. With none listed, every credential is a tenant of its own, and callers without any share one.
 */
export function identifyCaller(config: AppConfig, headers: IncomingHttpHeaders): Caller {
  const key = presentedKey(headers);
  const keyHash = sha256Hex(key);
  const listed = tenantOfKey(config, keyHash);
  if (config.auth.tenants.length > 0 && listed === undefined) throw new RepriseError('RP_ERR_UNAUTHENTICATED');
  const tenant = listed?.name ?? (key === '' ? 'anonymous' : `k-${keyHash.slice(0, 16)}`);
  return {
    tenant,
    keyHash,
    ns: spaceOf(config, tenant, keyHash, listed !== undefined) + subspace(headers[requestHeaders.namespace]),
  };
}

function spaceOf(config: AppConfig, tenant: string, keyHash: string, listed: boolean): string {
  switch (sharingOf(config, tenant)) {
    case 'global':
      return 'global';
    case 'tenant':
      return tenant;
    case 'key':
      return listed ? `${tenant}.${keyHash.slice(0, 12)}` : tenant;
  }
}
