import { resolve } from 'node:path';
import { formatProblems, loadConfig } from '@reprise/config';
import type { LiveReport } from '@reprise/semantic-cache';
import { provenanceOf, reportHtml, reportText, writeFileWhole } from '@reprise/simulator';
import { adminToken } from '../eval/clean-up.js';
import { causeOf } from '../gateway/chat-client.js';
import { CommandError, type Io, UsageError } from '../io.js';
import { type RawOptions, textOption, urlOption } from '../options.js';
import { tablesOf } from './live-tables.js';

/** `report`: what the running cache does for one namespace, as text, JSON or one page. */
export async function report(io: Io, options: RawOptions, gateway: string): Promise<number> {
  const startedMs = performance.now();
  const format = textOption(options, 'format') ?? 'text';
  if (format !== 'text' && format !== 'json' && format !== 'html')
    throw new UsageError('--format must be text, json or html.');
  const loaded = loadConfig({ env: io.env, cwd: io.cwd });
  if (!loaded.ok) throw new CommandError(`the configuration is not valid:\n${formatProblems(loaded.error)}`);
  const url = urlOption(options, gateway);
  const token = adminToken(textOption(options, 'adminToken'), loaded.value.auth.adminTokenFile, io.cwd);
  if (token === undefined) throw new CommandError('no admin token was given or found (--admin-token).');
  const live = await readReport(url, token, textOption(options, 'namespace'));
  const given = { config: { url }, seeds: [], trace: `live, namespace ${live.namespace}` };
  const made =
    format === 'json'
      ? `${JSON.stringify(live, undefined, 2)}\n`
      : (format === 'html' ? reportHtml : reportText)(tablesOf(live, await provenanceOf(given, startedMs)));
  const out = textOption(options, 'out');
  if (out === undefined) io.out(made);
  else await writeFileWhole(resolve(io.cwd, out), made);
  return 0;
}

/** Asks the admin API. */
export async function readReport(url: string, token: string, namespace: string | undefined): Promise<LiveReport> {
  const query = namespace === undefined ? '' : `?namespace=${encodeURIComponent(namespace)}`;
  let response: Response;
  try {
    response = await fetch(`${url}/admin/api/report${query}`, { headers: { authorization: `Bearer ${token}` } });
  } catch (error) {
    throw new CommandError(`no gateway answers at ${url} (${causeOf(error)}).`);
  }
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) return body as LiveReport;
  const said = (body as { error?: { message?: string } } | undefined)?.error?.message ?? '';
  throw new CommandError(`the admin API answered ${response.status} ${said}`.trim());
}
