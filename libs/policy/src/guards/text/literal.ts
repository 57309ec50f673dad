const COURTESY =
  'please|thanks|thank you|hello|hi|bye|bitte|danke|hallo|merci|bonjour|gracias|por favor|hola|спасибо|пожалуйста|привет';
const SPOKEN_OF =
  'say|spell|pronounce|mean|means|called|word|sang|sings|wrote|heißt|bedeutet|sagt|wort|сказать|слово|значит|пишется|a|the|my';
/** Courtesy that a text speaks of: "how do you say please", "a thank you card". */
const COURTESY_AS_CONTENT = new RegExp(`(?<!\\p{L})(?:${SPOKEN_OF})\\s+(?:${COURTESY})(?!\\p{L})|hello world`, 'iu');
/** Writing is what the text asks about: capitals, marks and courtesy are the question. */
const ABOUT_WRITING =
  /(?<!\p{L})(?:proofread|punctuation|grammar|spelling|capitals|capitali[sz]|upper-?case|lower-?case|characters|polite|sentiment|ascii|regex|korrigier|rechtschreib|großbuchstab|corrige|исправь)/iu;
/** Material after a colon: "translate: …", "reverse: …". */
const MATERIAL = /:\s+\S/u;
const CODE_LINES = /[()[\]{};=:]\s*\n|\n[ \t]+\S/u;

/** Whether a text must be compared as written, because its capitals, marks, blanks or courtesy may be what it is about. */
export function isLiteral(text: string): boolean {
  return [COURTESY_AS_CONTENT, ABOUT_WRITING, MATERIAL, CODE_LINES].some((pattern) => pattern.test(text));
}
