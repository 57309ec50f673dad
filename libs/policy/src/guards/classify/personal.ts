import { unifyText } from '../text/normalize.js';

const PERSONAL =
  /\b(?:where|when|what|how much|how many|is|are|do|does|did|has|have|was|show|check)\b[^?]{0,40}\b(?:my|our) (?:order|orders|account|balance|subscription|invoice|package|parcel|ticket|booking|appointment|flight|refund|payment|delivery|bill|name)\b/u;

/** Whether the answer depends on who asks ("where is my order?"). */
export function isPersonal(text: string): boolean {
  return PERSONAL.test(unifyText(text).toLowerCase());
}
