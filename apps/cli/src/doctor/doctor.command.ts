import { formatProblems, loadConfig } from '@reprise/config';
import type { Io } from '../io.js';
import { type RawOptions, textOption, wholeOption } from '../options.js';
import { fail, type Finding, fine } from './finding.js';
import { checkJudge } from './judge.check.js';
import { checkMemory, checkNode } from './machine.check.js';
import { checkModel } from './model.check.js';
import { checkQueues } from './queues.check.js';
import { checkRedis } from './redis.check.js';
import { checkUpstream } from './upstream.check.js';

const TIMEOUT_MS = 3_000;
const WORDS = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const;

/** `doctor`: one line for each thing that was looked at; exit code 1 when something does not work. */
export async function doctor(io: Io, options: RawOptions): Promise<number> {
  const timeoutMs = wholeOption(options, 'timeout', TIMEOUT_MS, [1, 60_000]);
  const json = options['json'] === true;
  const file = textOption(options, 'config');
  const findings: Finding[] = [];
  const add = (...more: Finding[]): void => {
    findings.push(...more);
    if (!json) for (const finding of more) io.out(lineOf(finding));
  };
  add(checkNode(process.versions.node), checkMemory());
  const loaded = loadConfig({ env: io.env, cwd: io.cwd, ...(file === undefined ? {} : { file }) });
  if (loaded.ok) {
    add(fine('configuration', 'valid'));
    // Not side by side: the self-test of the model would make the others look slow.
    const redis = await checkRedis(loaded.value, io, timeoutMs);
    add(...redis);
    if (redis.every(({ name, level }) => name !== 'redis' || level !== 'fail'))
      add(await checkQueues(loaded.value, io));
    add(await checkUpstream(loaded.value, timeoutMs), checkJudge(loaded.value));
    add(...(await checkModel(loaded.value, io)));
  } else {
    const problems = formatProblems(loaded.error).replaceAll('\n', '; ');
    add(fail('configuration', problems, 'reprise config check lists them; the rest was not looked at.'));
  }
  return report(io, findings, json);
}

function lineOf({ name, level, says, advice }: Finding): string {
  const line = `${WORDS[level]}  ${name.padEnd(14)} ${says}\n`;
  return advice === undefined ? line : `${line}      ${' '.repeat(14)} → ${advice}\n`;
}

function report(io: Io, findings: readonly Finding[], json: boolean): number {
  const count = (level: Finding['level']): number => findings.filter((finding) => finding.level === level).length;
  if (json) io.out(`${JSON.stringify({ findings }, undefined, 2)}\n`);
  else io.out(`\n${count('ok')} ok, ${count('warn')} to look at, ${count('fail')} failed\n`);
  return count('fail') > 0 ? 1 : 0;
}
