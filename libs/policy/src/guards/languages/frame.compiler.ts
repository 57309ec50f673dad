import type { Frame, FrameData } from './frame.types.js';

type Fragments = Readonly<Record<string, string | readonly string[]>>;

/** `\w` in a data file means a letter or digit of any script. */
function widenWordClass(pattern: string): string {
  return pattern.replace(/\[([^\]]*)\\w([^\]]*)\]/g, '[$1\\p{L}\\p{N}_$2]').replaceAll('\\w', '[\\p{L}\\p{N}_]');
}

function expand(pattern: string, fragments: Fragments): string {
  return pattern.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const fragment = fragments[name];
    if (fragment === undefined) throw new Error(`unknown fragment ${name} in frame ${pattern}`);
    return expand(typeof fragment === 'string' ? fragment : `(?:${fragment.join('|')})`, fragments);
  });
}

/** Compiles one pattern of a data file; throws on a bad pattern or an unknown fragment. */
export function compilePattern(pattern: string, fragments: Fragments = {}, flags = 'u'): RegExp {
  return new RegExp(widenWordClass(expand(pattern, fragments)), flags);
}

/** Compiles the frames of a data file in order. */
export function compileFrames(frames: readonly FrameData[], fragments: Fragments): Frame[] {
  return frames.map((frame) => ({
    pattern: compilePattern(frame.match, fragments),
    put: frame.put ?? '',
    type: frame.type,
    read: frame.read,
  }));
}

/** Compiles the rewrites of a data file; each replaces every match. */
export function compileRewrites(
  rewrites: readonly { readonly match: string; readonly put: string }[],
  fragments: Fragments = {},
): { readonly pattern: RegExp; readonly put: string }[] {
  return rewrites.map(({ match, put }) => ({ pattern: compilePattern(match, fragments, 'gu'), put }));
}
