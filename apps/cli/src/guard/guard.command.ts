import { type AppConfig, formatProblems, loadConfig } from '@reprise/config';
import { explainGuard, type GuardExplanation, type GuardFingerprint, type GuardReason } from '@reprise/policy';
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
  const { guards, strictSimilarity } = loaded.value.cache;
  const explanation = explainGuard(String(a), String(b), cosine, {
    disabled: new Set(guards.disabled as readonly GuardReason[]),
    extraWords: { hard: guards.extraWords },
    minCosine: strictSimilarity.minCosine,
  });
  if (options['json'] === true) io.out(`${JSON.stringify({ cosine, ...explanation }, undefined, 2)}\n`);
  else io.out(explanationText(explanation, cosine, given === undefined));
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

function explanationText(explanation: GuardExplanation, cosine: number, measured: boolean): string {
  const { verdict, checks, aligned } = explanation;
  const lines = [
    `${verdict.serve ? 'serves' : 'refuses'}: ${verdict.reason}`,
    `cosine  ${cosine.toFixed(4)}${measured ? '' : ' (given)'}`,
    ...fingerprintLines('A', explanation.a),
    ...fingerprintLines('B', explanation.b),
  ];
  if (checks.length > 0)
    lines.push(`checks  ${checks.map(({ check, passed }) => `${check} ${passed ? '✓' : '✗'}`).join(', ')}`);
  if (aligned.length > 0)
    lines.push(`aligned ${aligned.map(({ a, b, how }) => (a === b ? a : `${a} = ${b} (${how})`)).join(', ')}`);
  return `${lines.join('\n')}\n`;
}

/** The parts of a fingerprint that hold something; hashes say nothing to a person and are only named. */
function fingerprintLines(name: string, print: GuardFingerprint): string[] {
  const parts: string[] = [`language ${print.language}`];
  const add = (label: string, values: readonly string[]): void => {
    if (values.length > 0) parts.push(`${label} ${values.join(' ')}`);
  };
  add('type', print.types);
  add('names', print.names);
  add('cased', print.cased);
  add('formats', print.formats);
  add(
    'subject',
    [print.subject, print.person].filter((text) => text !== ''),
  );
  if (print.code !== '') parts.push('has code or marks');
  if (print.tooLong) parts.push('too long to be analysed');
  if (print.timeDependent) parts.push('depends on the time');
  if (print.personal) parts.push('depends on who asks');
  if (print.missingReferent) parts.push('points at something outside the text');
  return [`${name.padEnd(7)} ${print.tokens.join(' ') || '–'}`, `        ${parts.join('; ')}`];
}
