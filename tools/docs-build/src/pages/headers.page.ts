import { type HeaderMeaning, requestHeaderMeanings, responseHeaderMeanings } from '@reprise/contracts';
import { generatedFrom, markdownTable } from '../text.js';

const rows = (meanings: Readonly<Record<string, HeaderMeaning>>): string[][] =>
  Object.entries(meanings).map(([name, { values, meaning }]) => [`\`${name}\``, values, meaning]);

/** The page docs/reference/headers.md. */
export function headersPage(): string {
  return `# Headers

${generatedFrom('libs/contracts/src/headers.ts and header-meanings.ts')}

Names are not case-sensitive. \`x-reprise-*\` headers are for the gateway and do not go upstream; every other header of a request does, as far as it does not belong to the connection.

## Of requests

${markdownTable(['header', 'values', 'meaning'], rows(requestHeaderMeanings))}

## Of answers

${markdownTable(['header', 'values', 'meaning'], rows(responseHeaderMeanings))}
`;
}
