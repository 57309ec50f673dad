import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { requestHeaders } from '@reprise/contracts';
import { type CacheMode, cacheModes, tightenMode } from '@reprise/policy';
import { type CacheControl, parseCacheControl } from '@reprise/semantic-cache';
import { RepriseError, stableHash } from '@reprise/kernel';
import { sha256Hex } from './caller.js';

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

/** What may be said where yes or no is asked; the bare header is a yes. */
const yesNo = new Map([
  ['', true],
  ['true', true],
  ['1', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['no', false],
]);

const mostTags = 32;
const longestTag = 200;
/** What the store takes of one text in a list. */
const mostBytes = 512;

const isTag = (tag: string): boolean => tag !== '' && tag.length <= longestTag && Buffer.byteLength(tag) <= mostBytes;

/** A list divided by commas; each tag may be percent-encoded, so that it can hold anything (commas, too). */
function tagsOf(header: string | undefined): readonly string[] {
  if (header === undefined) return [];
  const tags = new Set(header.split(',').map((tag) => decoded(tag.trim())));
  return [...tags].filter(isTag).slice(0, mostTags);
}

/** Header bytes are read as latin1: what was sent as UTF-8 is made so again. Else a value is taken as it stands. */
function decoded(tag: string): string {
  const bytes = Buffer.from(tag, 'latin1');
  const text = isUtf8(bytes) ? bytes.toString('utf8') : tag;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The end user as entries keep it: nothing that a person could be known by. */
export const hashedUser = (user: string): string => sha256Hex(user).slice(0, 24);

/** The id of a conversation that a caller's header names. */
export const namedConversation = (header: string): string => `x-${stableHash([header], 24)}`;

/** Before every way to the upstream, a bypass too. Throws RP_ERR_NOT_CACHED when `only-if-cached` was asked. */
export function assertMayAsk({ cacheControl }: Pick<RequestControls, 'cacheControl'>): void {
  if (cacheControl.onlyIfCached) throw new RepriseError('RP_ERR_NOT_CACHED');
}

const allows = (mode: CacheMode, other: CacheMode): boolean => !tightenMode(mode, other).ignored;

/** What several modes allow in common; a header that is sent twice arrives as a list. */
function tightestOf(modes: readonly CacheMode[]): CacheMode | undefined {
  const [first, ...more] = modes;
  if (first === undefined) return undefined;
  return more.reduce((mode, other) => (allows(mode, other) ? other : allows(other, mode) ? mode : 'off'), first);
}

export function readControls(headers: IncomingHttpHeaders): RequestControls {
  const unreadable: string[] = [];
  const modes = one(headers[requestHeaders.mode])
    ?.split(',')
    .map((text) => text.trim().toLowerCase());
  const mode = tightestOf(modes?.filter(isMode) ?? []);
  if (modes?.every(isMode) === false) unreadable.push(requestHeaders.mode);
  const riskText = one(headers[requestHeaders.maxRisk])?.trim();
  const risk = riskText !== undefined && /^\d*\.?\d+$/.test(riskText) ? Number(riskText) : undefined;
  const maxRisk = risk !== undefined && risk <= 1 ? risk : undefined;
  if (riskText !== undefined && maxRisk === undefined) unreadable.push(requestHeaders.maxRisk);
  const conversation = one(headers[requestHeaders.conversation]);
  const endText = one(headers[requestHeaders.conversationEnd])?.trim().toLowerCase();
  const ends = endText === undefined ? false : yesNo.get(endText);
  if (ends === undefined) unreadable.push(requestHeaders.conversationEnd);
  return {
    cacheControl: parseCacheControl(headers['cache-control']),
    ...(mode === undefined ? {} : { askedMode: mode }),
    ...(maxRisk === undefined ? {} : { maxRisk }),
    ...(conversation === undefined || conversation === '' ? {} : { conversation: namedConversation(conversation) }),
    endsConversation: ends === true,
    tags: tagsOf(one(headers[requestHeaders.tags])),
    unreadable,
  };
}
