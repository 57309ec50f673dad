import { type AppConfig, upstreamKind } from '@reprise/config';
import { causeOf } from '../gateway/chat-client.js';
import { fail, type Finding, fine, warn } from './finding.js';

const NAME = 'upstream';

/** Whether the configured upstream answers `GET /v1/models` in time. */
export async function checkUpstream(config: Pick<AppConfig, 'upstream'>, timeoutMs: number): Promise<Finding> {
  const { baseUrl, apiKey } = config.upstream;
  if (upstreamKind(config) === 'demo' || baseUrl === undefined)
    return fine(NAME, 'the built-in demo (neither OPENAI_BASE_URL nor OPENAI_API_KEY is set)');
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/models`, {
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    return verdict(baseUrl, response.status, apiKey !== undefined);
  } catch (error) {
    return fail(
      NAME,
      `${baseUrl} cannot be reached: ${causeOf(error)}`,
      'Correct OPENAI_BASE_URL, or look at the network between here and there.',
    );
  }
}

function verdict(baseUrl: string, status: number, withKey: boolean): Finding {
  if (status >= 200 && status < 300) return fine(NAME, `${baseUrl} answers`);
  if (status === 401 || status === 403) {
    if (!withKey) return fine(NAME, `${baseUrl} answers and wants a key (callers bring their own)`);
    return fail(NAME, `${baseUrl} refuses the configured key (${status})`, 'Set OPENAI_API_KEY to a valid key.');
  }
  if (status === 404)
    return warn(
      NAME,
      `${baseUrl} answers, but has no /models`,
      'Check that the base URL ends where the API begins, usually with /v1.',
    );
  return warn(NAME, `${baseUrl} answers ${status}`, "Look at the provider's status page, or try again.");
}
