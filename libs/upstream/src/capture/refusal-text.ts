const LONGEST_REFUSAL_CHARS = 400;

/** How models open a refusal when they use no `refusal` field; whole openings only, so that "sorry, we cannot ship …" stays an answer. */
const OPENINGS: readonly RegExp[] = [
  /^(i['’]?m|i am) (really |very )?(sorry|afraid),? ?(but )?(that )?i (can['’]?t|cannot|can not|won['’]?t|am unable to|am not able to|'m unable to) (help|assist|comply|do that|continue|provide|fulfil|answer|discuss|engage|create|generate)/,
  /^(sorry|unfortunately|apologies),? (but )?(i|as an ai)[^.]{0,40}(can['’]?t|cannot|won['’]?t|unable to) (help|assist|comply|do that|provide|fulfil|answer|discuss|engage|create|generate)/,
  /^i (can['’]?t|cannot|won['’]?t|am unable to|am not able to) (help with|assist with|comply with|fulfil|engage in|discuss) (that|this|your request|such)/,
  /^as an ai( language)? model,? i (can['’]?t|cannot|am unable)/,
  /^(tut mir leid|es tut mir leid|leider),? (aber )?(dabei |damit |das )?(kann|darf) ich (dir |ihnen |dabei |damit |das |hier )*(nicht|leider nicht)/,
  /^(je suis désolée?|désolée?),? (mais )?je ne (peux|puis) pas (vous |t['’])?(aider|assister|répondre)/,
  /^lo siento,? (pero )?no puedo (ayudar|asistir|responder|cumplir)/,
  /^(mi dispiace|spiacente),? (ma )?non posso (aiutar|assister|rispond|soddisf)/,
  /^(desculpe|sinto muito|lamento),? (mas )?não posso (ajudar|auxiliar|responder|atender)/,
];

/** Whether a short text is nothing but a model's refusal; long texts that begin so carry an answer and are kept. */
export function readsAsRefusal(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_REFUSAL_CHARS) return false;
  const lower = trimmed.toLowerCase();
  return OPENINGS.some((opening) => opening.test(lower));
}
