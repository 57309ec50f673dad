const COURTESY =
  'please|thanks|thank you|hello|hi|bye|bitte|danke|hallo|merci|bonjour|gracias|por favor|hola|спасибо|пожалуйста|привет';
const SPOKEN_OF =
  'say|spell|pronounce|translate|mean|means|called|word|sang|sings|wrote|heißt|bedeutet|sagt|wort|сказать|слово|значит|пишется|a|the|my';
/** Courtesy that a text speaks of: "how do you say please", "a thank you card". */
const COURTESY_AS_CONTENT = new RegExp(`(?<!\\p{L})(?:${SPOKEN_OF})\\s+(${COURTESY})(?!\\p{L})|hello world`, 'giu');
/** Writing is what the text asks about: capitals, marks and courtesy are the question. */
const ABOUT_WRITING =
  /(?<!\p{L})(?:proofread|punctuation|grammar|spelling|capitals|capital letters?|capitali[sz]|small letters|case[ -]sensitiv|sort(?:s|ed)? (?:before|after)|alphabetical|password is|passwort ist|contraseña es|mot de passe est|passw\w+ \S+ (?:strong|secure|safe|weak|good)|majuscul|minuscul|mayúscul|minúscul|maiuscol|minuscol|kleinbuchstab|upper-?case|lower-?case|characters|polite|sentiment|ascii|regex|korrigier|rechtschreib|großbuchstab|corrige|исправь)/iu;
/** "the spelling of necessary" asks how one word is spelled. */
const SPELLING_OF_A_WORD = /(?<=\p{L} )spelling(?= of [\p{L}'-]{1,40}\s*[?.!]*$)/iu;
/** Material after a colon: "translate: …", "reverse: …". */
const MATERIAL = /:\s+\S/u;
/** Longest text in which a colon may be something else. */
const MAX_COLON_QUESTION = 200;
/** "Which is safer: a barge or a ferry?": the colon is a comma. */
const CHOICE = /^(?:which|who|what)(?!\p{L})[^:]{1,80}:\s+[^:;]{1,100}\sor\s[^:;]{1,60}\?\s*$/iu;
/** "Malta: why is Malta dry?": a heading that the question repeats. */
const HEADING = /^(\p{L}{2,30}) ?:\s+(?=(?:what|how|why|who|where|when|which|is|are|do|does|can)\s)/iu;
const CODE_LINES = /[()[\]{};=:]\s*\n|\n[ \t]+\S/u;

function repeatsHeading(text: string): boolean {
  const match = HEADING.exec(text);
  if (match === null) return false;
  const words = new Set(
    text
      .slice(match[0].length)
      .toLowerCase()
      .match(/\p{L}+/gu),
  );
  return words.has((match[1] ?? '').toLowerCase());
}

function hasMaterial(text: string): boolean {
  if (!MATERIAL.test(text)) return false;
  return text.length > MAX_COLON_QUESTION || !(CHOICE.test(text) || repeatsHeading(text));
}

/** Whether a text must be compared as written, because its capitals, marks or blanks may be what it is about. */
export function isLiteral(text: string): boolean {
  return ABOUT_WRITING.test(text.replace(SPELLING_OF_A_WORD, '')) || hasMaterial(text) || CODE_LINES.test(text);
}

/** Courtesy that a text speaks of, lower-cased, in its order. */
export function spokenCourtesy(text: string): string[] {
  return [...text.matchAll(COURTESY_AS_CONTENT)].map(([match, courtesy]) => (courtesy ?? match).toLowerCase());
}
