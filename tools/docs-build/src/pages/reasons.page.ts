import { type Reason, type ReasonGroup, reasons } from '@reprise/contracts';
import { generatedFrom, markdownTable } from '../text.js';

/** Sections in the order in which a request meets them. */
const sections: Readonly<Record<ReasonGroup, readonly [title: string, about: string]>> = {
  served: ['Served', 'The answer came from the cache.'],
  asked: ['Asked for', 'The caller, the policy or an operator wanted it so.'],
  request: ['Requests that are not cached', 'They are proxied unchanged.'],
  'exact-only': ['Requests that the semantic tier does not look at', 'An equal request is still answered.'],
  nearest: ['The nearest entry', 'Nothing was near, or what was near could not be served.'],
  guard: [
    'Guards',
    'The nearest entry was similar, but may not mean the same. The word is that of the first check that refused it; `cache.guards.disabled` switches checks off by these words.',
  ],
  degraded: ['Degraded', 'A part was late or away; the request went on without it.'],
};

function section(group: ReasonGroup): string {
  const [title, about] = sections[group];
  const rows = Object.entries(reasons)
    .filter(([, reason]: [string, Reason]) => reason.group === group)
    .map(([word, reason]: [string, Reason]) => [
      `\`${word}\``,
      reason.with.map((outcome) => `\`${outcome}\``).join(' '),
      reason.meaning,
    ]);
  return `## ${title}\n\n${about}\n\n${markdownTable(['word', 'with x-cache', 'meaning'], rows)}\n`;
}

/** The page docs/reference/reasons.md. */
export function reasonsPage(): string {
  return `# Reasons

${generatedFrom('libs/contracts/src/reasons.ts')}

\`x-cache-reason\` is one of these words on every answer. After it may stand \`; ignored=…\` with the headers of the caller that were ignored, because they would have loosened what the
configuration allows or mean nothing.

${(Object.keys(sections) as ReasonGroup[]).map(section).join('\n')}`;
}
