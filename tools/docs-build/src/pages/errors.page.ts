import { type ErrorCode, errorCodes } from '@reprise/kernel';
import { generatedFrom, markdownTable } from '../text.js';

const example = `\`\`\`json
{
  "error": {
    "message": "The request body is not valid JSON.",
    "type": "invalid_request_error",
    "code": "RP_ERR_BAD_JSON",
    "param": null
  }
}
\`\`\``;

/** The page docs/reference/errors.md. */
export function errorsPage(): string {
  const rows = Object.entries(errorCodes).map(([name, code]: [string, ErrorCode]) => [
    `\`${name}\``,
    String(code.status),
    `\`${code.type}\``,
    code.retryable ? 'yes' : 'no',
    code.level,
    code.message,
  ]);
  return `# Errors

${generatedFrom('libs/kernel/src/errors/codes.ts')}

Errors of the gateway itself have the shape of OpenAI's, so that clients read them as they read the provider's:

${example}

\`message\` may go on after the sentence of the table with what was wrong in this request. Errors of the upstream are passed on as they came, with the upstream's own status and codes.
The cache never turns a good answer of the upstream into an error: what fails in it shows in \`x-cache: bypass\` and [its reason](reasons.md).

${markdownTable(['code', 'status', 'type', 'worth a retry', 'log level', 'message'], rows)}
`;
}
