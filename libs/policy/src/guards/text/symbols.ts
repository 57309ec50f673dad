/** Symbols that the tokeniser knows; they count where it leaves them (the "%" of "20%" is a unit). */
const TOKEN_SYMBOL = /^[+*/=<>^%~|\\$€£°]$/;
/** Other symbols of Unicode: emoji, "×", "₽" … */
const OTHER_SYMBOL = /[^\P{S}+=<>^~|$€£¥₹°`®™©]/gu;
/** Punctuation that stands alone inside a sentence is what the sentence is about ("what does ; mean"). */
const LONE_PUNCTUATION = /(?<=\s)[^\s\p{L}\p{N}\p{S},&\-'"()*/%\\]+(?=\s+[\p{Ll}\p{N}])/gu;

/** A command with two arguments, whose order and case count; a function word after it makes it prose ("the diff of the files"). */
export const COMMAND =
  /(?<![\p{L}\p{N}_])(?:cp|mv|ln|scp|rsync|diff)(?: (?!(?:the|to|in|into|and|or|is|do|does|from|for|of|with|on|between|my|all|vs|command|file)(?![\p{L}\p{N}]))[^\s?]+){2}/gu;

/** Marks that words alone do not carry: calls and brackets, flags, sigils, smileys, inches and feet, "A-", "add .", accents of formulas. */
const SHAPES = [
  /[\p{L}\p{N}_]\([^()]*\)|\[[^\]]*\]|\{[^}]*\}/gu,
  /(?<!\S)(?:-{1,2}|[@#.~])\p{L}[\p{L}\p{N}-]*/gu,
  /;(?=\s*[^\s;)(])/gu,
  COMMAND,
  /[:;]-?[()]|\d['"′]+|(?<=\p{L})[-+](?=[\s?.!]|$)|(?<=\s)(?:\.{1,2}|-|&|!!)$|\p{L}\p{M}+/gu,
];

/** Every symbol of a text that carries meaning, sorted. */
export function findSymbols(text: string, tokens: readonly string[]): string[] {
  return [
    ...tokens.filter((token) => TOKEN_SYMBOL.test(token)),
    ...(text.match(OTHER_SYMBOL) ?? []),
    ...(text.match(LONE_PUNCTUATION) ?? []),
    ...SHAPES.flatMap((shape) => text.match(shape) ?? []),
  ].sort();
}
