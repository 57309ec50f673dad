import { RepriseError } from '@reprise/kernel';
import { DeadlineError } from '../connection/deadline.js';

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Server errors that say "not now" or "not here": the caller goes on without the cache. */
const refusals =
  /^(OOM|READONLY|LOADING|CLUSTERDOWN|MASTERDOWN|MISCONF|TRYAGAIN|MOVED|ASK|CROSSSLOT|BUSY|NOAUTH|WRONGPASS|NOREPLICAS|UNKILLABLE)\b/;

/** A Cluster that moves the slot: some keys are here, others are not. */
const movingSlot = /non local key|Script attempted to access/;
/** The user may not do what the function does. */
const forbidden = /^NOPERM|ACL failure in script/;

/** The server lost (or never had) the function or script. */
export function isNotLoaded(error: unknown): boolean {
  return /^NOSCRIPT\b|Function not found/.test(message(error));
}

/** The slot of the key lives on another server. */
export function hasMoved(error: unknown): boolean {
  return message(error).startsWith('MOVED ');
}

/** No answer came: time-out, broken or absent connection. Such a server counts as down. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof DeadlineError) return true;
  const name = error instanceof Error ? error.name : '';
  return name !== 'ReplyError' && !(error instanceof RepriseError);
}

/** Every failure of a call as an error of the code table. */
export function toRepriseError(error: unknown): RepriseError {
  if (error instanceof RepriseError) return error;
  // Redis adds where in the script it was raised.
  const text = message(error).replace(/ script: \S+, on @user_\w+:\d+\.$/, '');
  const options = error instanceof Error ? { cause: error } : undefined;
  if (isUnreachable(error)) return new RepriseError('RP_ERR_CACHE_UNAVAILABLE', `(${text})`, null, options);
  if (refusals.test(text))
    return new RepriseError('RP_ERR_CACHE_UNAVAILABLE', `(${text.split(' ')[0]})`, null, options);
  if (forbidden.test(text)) return new RepriseError('RP_ERR_CACHE_UNAVAILABLE', `(${text})`, null, options);
  if (movingSlot.test(text)) return new RepriseError('RP_ERR_CACHE_UNAVAILABLE', '(slot is moving)', null, options);
  if (text.startsWith('RP_ERR_POLICY')) {
    return new RepriseError('RP_ERR_BAD_REQUEST', text.slice('RP_ERR_POLICY'.length).trim(), null, options);
  }
  return new RepriseError('RP_ERR_INTERNAL', `(Redis: ${text})`, null, options);
}
