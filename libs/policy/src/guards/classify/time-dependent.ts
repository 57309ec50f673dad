import { unifyText } from '../text/normalize.js';

const TIME_WORDS =
  /\b(?:today|tonight|tomorrow|yesterday|now|currently|right now|latest|this (?:week|month|year|weekend|morning|evening)|weather|what time is it|heute|morgen|gestern|jetzt|aktuell|hoy|aujourd'hui|oggi|hoje)\b|今天|现在|今日|сегодня|сейчас|اليوم/u;

/** Whether the answer depends on when the question is asked ("today's weather"); in doubt yes. */
export function isTimeDependent(text: string): boolean {
  return TIME_WORDS.test(unifyText(text).toLowerCase());
}
