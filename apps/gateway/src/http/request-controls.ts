import type { IncomingHttpHeaders } from 'node:http';
import { requestHeaders } from '@reprise/contracts';
import { type CacheMode, cacheModes } from '@reprise/policy';
import { type CacheControl, parseCacheControl } from '@reprise/semantic-cache';
import { stableHash } from '@reprise/kernel';

/** What a caller's headers say about caching. `unreadable` names headers whose value means nothing; they are ignored. */
export interface RequestControls {
  readonly cacheControl: CacheControl;
  readonly askedMode?: CacheMode;
  readonly maxRisk?: number;
  readonly conversation?: string;
  readonly endsConversation: boolean;
  readonly tags: readonly string[];
  readonly unreadable: readonly string[];
}

const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(',') : value;

const isMode = (text: string): text is CacheMode => (cacheModes as readonly string[]).includes(text);

function tagsOf(header: string | undefined): readonly string[] {
  if (header === undefined) return [];
  let decoded = header;
  try {
    decoded = decodeURIComponent(header);
  } catch {
    // A value that is not percent-encoded is taken as it stands.
  }
  return [...new Set(decoded.split(',').map((tag) => tag.trim()))]
    .filter((tag) => tag !== '' && tag.length <= 200)
    .slice(0, 32);
}

export function readControls(headers: IncomingHttpHeaders): RequestControls {
  const unreadable: string[] = [];
  const mode = one(headers[requestHeaders.mode])?.trim().toLowerCase();
  if (mode !== undefined && !isMode(mode)) unreadable.push(requestHeaders.mode);
  const riskText = one(headers[requestHeaders.maxRisk])?.trim();
  const risk = riskText !== undefined && /^\d*\.?\d+$/.test(riskText) ? Number(riskText) : undefined;
  const maxRisk = risk !== undefined && risk <= 1 ? risk : undefined;
  if (riskText !== undefined && maxRisk === undefined) unreadable.push(requestHeaders.maxRisk);
  const conversation = one(headers[requestHeaders.conversation]);
  return {
    cacheControl: parseCacheControl(headers['cache-control']),
    ...(mode !== undefined && isMode(mode) ? { askedMode: mode } : {}),
    ...(maxRisk === undefined ? {} : { maxRisk }),
    ...(conversation === undefined || conversation === ''
      ? {}
      : { conversation: `x-${stableHash([conversation], 24)}` }),
    endsConversation: headers[requestHeaders.conversationEnd] !== undefined,
    tags: tagsOf(one(headers[requestHeaders.tags])),
    unreadable,
  };
}
