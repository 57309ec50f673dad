import { type AppConfig, formatProblems, loadConfig } from '@reprise/config';
import { describeExplanation, explainGuard, findExtraWordProblems, guardOptionsOf } from '@reprise/policy';
import { CommandError, type Io, UsageError } from '../io.js';
import { cosineOf, openModel } from '../model.js';
import { numberOption, type RawOptions } from '../options.js';

/** `guard "A" "B"`: whether B's question may be given A's answer by the cold-start rule, and why; exit code 0 either way. */
export async function guard(io: Io, words: readonly string[], options: RawOptions): Promise<number> {
  // After `--` a text may begin with a dash.
  const [a, b, ...more] = [...words, ...((options['--'] as string[] | undefined) ?? [])];
  if (a === undefined || b === undefined || more.length > 0)
    throw new UsageError('guard needs two texts, each in quotes.');
  const given = numberOption(options, 'cosine', [-1, 1]);
  const loaded = loadConfig({ env: io.env, cwd: io.cwd });
  if (!loaded.ok) throw new CommandError(`the configuration is not valid:\n${formatProblems(loaded.error)}`);
  const cosine = given ?? (await modelCosine(loaded.value, io, String(a), String(b)));
  const rule = guardOptionsOf(loaded.value.cache);
  for (const problem of findExtraWordProblems(rule)) io.err(`cache.guards.${problem}.\n`);
  const explanation = explainGuard(String(a), String(b), cosine, rule);
  if (options['json'] === true) io.out(`${JSON.stringify(explanation, undefined, 2)}\n`);
  else io.out(`${describeExplanation(explanation).join('\n')}\n`);
  return 0;
}

async function modelCosine(config: AppConfig, io: Io, a: string, b: string): Promise<number> {
  const model = await openModel(config, io);
  try {
    if (!model.healthy())
      throw new CommandError(
        `${model.state().reason ?? 'the embedding model does not work'}; give the cosine with --cosine.`,
      );
    const cosine = await cosineOf(model, a, b);
    if (typeof cosine === 'string')
      throw new CommandError(
        `the model gives no vector for one of the texts (${cosine}); give the cosine with --cosine.`,
      );
    return cosine;
  } finally {
    await model.close();
  }
}
