import { configJsonSchema, type JsonNode } from '../schema/flatten.js';
import { describeConfig, type DescribedKey } from './describe.js';

const intro = `# Configuration

<!-- generated from libs/config/src/schema; do not edit -->

\`reprise.yaml\` in the working folder, or the file that \`REPRISE_CONFIG\` names. Every value can be overridden by the environment variable of its row:
\`REPRISE_\`, then section and key joined by two underscores; case and single underscores do not count (\`REPRISE_CACHE__ERRORBUDGET\` and \`REPRISE_CACHE__ERROR_BUDGET\` are \`cache.errorBudget\`).
Lists are separated by commas or written as JSON, lists of objects are JSON. An empty variable counts as not set. The order of strength: \`REPRISE_…\`, then the short names
(\`PORT\`, \`REDIS_URL\`, …), then the file, then the default. Durations are milliseconds or a text such as \`15m\` or \`7d\`, sizes are bytes or a text such as \`10MiB\`.

A bad configuration stops the start and names every bad key with its rule and its source, never a value. \`reprise config check\` does only that.
`;

const line = (key: DescribedKey): string =>
  `| \`${key.path}\` | ${key.fallback === undefined ? '–' : `\`${key.fallback}\``} | ${key.rule} | ${key.meaning} | ${key.variables.map((v) => `\`${v}\``).join(' ')} |`;

/** Rows for the members of lists of objects, which no single variable sets. */
function memberLines(path: string, node: JsonNode | undefined): string[] {
  return Object.entries(node?.properties ?? {}).map(
    ([key, member]) => `| \`${path}[].${key}\` | ${member.description ?? ''} |`,
  );
}

function members(): string[] {
  const root = configJsonSchema().properties;
  const lists: readonly (readonly [string, JsonNode | undefined])[] = [
    ['auth.tenants', root?.['auth']?.properties?.['tenants']?.items],
    ['cache.routes', root?.['cache']?.properties?.['routes']?.items],
    ['cache.volatileMasks', root?.['cache']?.properties?.['volatileMasks']?.items],
    ['prices', root?.['prices']?.items],
  ];
  return lists.flatMap(([path, items]) => [
    '',
    `### Members of ${path}`,
    '',
    '| key | meaning |',
    '|---|---|',
    ...memberLines(path, items),
  ]);
}

/** The page docs/reference/configuration.md. */
export function configReferenceMarkdown(): string {
  const sections = describeConfig().flatMap((section) => [
    '',
    `## ${section.name}`,
    '',
    section.meaning,
    '',
    '| key | default | rule | meaning | environment |',
    '|---|---|---|---|---|',
    ...section.keys.map(line),
  ]);
  return `${[intro.trimEnd(), ...sections, ...members()].join('\n')}\n`;
}
