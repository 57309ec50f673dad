import {
  acceptsAnyKey,
  type AppConfig,
  formatProblems,
  listenHost,
  loadConfig,
  redactConfig,
  upstreamKind,
} from '@reprise/config';
import type { Io } from '../io.js';
import { yamlText } from '../text/yaml.js';

/** What follows from the configuration without standing in it. */
function notes(config: AppConfig): string[] {
  const { tenants } = config.auth;
  return [
    upstreamKind(config) === 'demo'
      ? 'upstream: the built-in demo, because neither upstream.baseUrl nor upstream.apiKey is set'
      : `upstream: ${config.upstream.baseUrl}, with ${config.upstream.apiKey === undefined ? "the caller's own key" : 'the configured key'}`,
    `listens on ${listenHost(config)}:${config.server.port}`,
    tenants.length === 0
      ? `callers: every key is a tenant of its own${acceptsAnyKey(config) ? ', and any key spends the configured one, hence loopback only' : ''}`
      : `callers: ${tenants.length} tenant(s), other keys are refused`,
  ];
}

/** `config check`: the configuration in force without secrets, or every problem of it; exit code 1 for a bad one. */
export function configCheck(io: Io, file: string | undefined): Promise<number> {
  const loaded = loadConfig({ env: io.env, cwd: io.cwd, ...(file === undefined ? {} : { file }) });
  if (!loaded.ok) {
    const count = loaded.error.length;
    io.err(`${formatProblems(loaded.error)}\n\n${count} problem${count === 1 ? '' : 's'}; nothing would start.\n`);
    return Promise.resolve(1);
  }
  const { embedding, ...rest } = loaded.value;
  // `hang` is a switch of the tests, not a key of the file.
  const { hang: _hang, ...shownEmbedding } = embedding;
  const ordered = Object.fromEntries(
    Object.keys(loaded.value).map((key) => [
      key,
      key === 'embedding' ? shownEmbedding : rest[key as keyof typeof rest],
    ]),
  );
  io.out(
    `${notes(loaded.value)
      .map((note) => `# ${note}`)
      .join('\n')}\n${yamlText(redactConfig(ordered))}`,
  );
  return Promise.resolve(0);
}
