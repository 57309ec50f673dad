/** Cuts a text into pieces of at most `size` code points; a surrogate pair is never split. */
export function* fragments(text: string, size: number): Generator<string> {
  const step = Math.max(1, Math.floor(size));
  let start = 0;
  let count = 0;
  for (let at = 0; at < text.length;) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    count += 1;
    if (count === step || at >= text.length) {
      yield text.slice(start, at);
      start = at;
      count = 0;
    }
  }
}
