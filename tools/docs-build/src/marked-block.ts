/**
 * `text` with what stands between `<!-- name:begin … -->` and `<!-- name:end -->` replaced.
 * Throws when the two marks are not there once each, in this order.
 */
export function replaceBlock(text: string, name: string, content: string): string {
  const pattern = new RegExp(`(<!-- ${name}:begin[^>]*-->)[^]*?(<!-- ${name}:end -->)`, 'g');
  if ([...text.matchAll(pattern)].length !== 1)
    throw new Error(`the marks ${name}:begin and ${name}:end must be there once`);
  return text.replace(pattern, (_all, begin: string, end: string) => `${begin}\n\n${content}\n\n${end}`);
}
