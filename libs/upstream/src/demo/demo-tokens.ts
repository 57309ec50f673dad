const PIECE = /\s?[\p{L}\p{M}']+|\s?\p{N}{1,3}|\s?[^\s\p{L}\p{N}]|\s+/gu;
const LONGEST_PIECE = 6;

/** Cuts a text into token-like pieces whose concatenation is the text. */
export function demoTokens(text: string): string[] {
  const tokens: string[] = [];
  for (const [piece] of text.matchAll(PIECE)) {
    const points = [...piece];
    for (let at = 0; at < points.length; at += LONGEST_PIECE)
      tokens.push(points.slice(at, at + LONGEST_PIECE).join(''));
  }
  return tokens;
}

export function countDemoTokens(text: string): number {
  return demoTokens(text).length;
}
