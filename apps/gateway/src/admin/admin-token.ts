import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { IncomingHttpHeaders } from 'node:http';
import type { AppConfig } from '@reprise/config';
import { RepriseError } from '@reprise/kernel';
import { sha256Hex } from '../http/caller.js';

/** The admin token's hash: configured, or of the token file, which is made at the first start. */
export function adminTokenHash(config: AppConfig, onCreated: (file: string) => void): string {
  const { adminTokenFile, adminTokenHash: configured } = config.auth;
  if (configured !== undefined) return configured;
  mkdirSync(dirname(adminTokenFile), { recursive: true });
  try {
    writeFileSync(adminTokenFile, `${randomBytes(24).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 });
    onCreated(adminTokenFile);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return sha256Hex(readFileSync(adminTokenFile, 'utf8').trim());
}

/** Throws RP_ERR_UNAUTHENTICATED unless the request carries the admin token. */
export function assertAdmin(headers: IncomingHttpHeaders, expectedHash: string): void {
  const token = /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  if (!timingSafeEqual(Buffer.from(sha256Hex(token)), Buffer.from(expectedHash)))
    throw new RepriseError('RP_ERR_UNAUTHENTICATED');
}
