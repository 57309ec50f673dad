import { type Judge, textOf } from '@reprise/semantic-cache';
import type { TraceRecord } from '../traces/trace.types.js';

const plain = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, ' ');
const asked = (message: string, before: readonly string[]): string => plain([...before.slice(-2), message].join('\n'));

/**
 * The truths of a trace as the judge of its replay. A judge sees texts only: a request is known by its message and the two messages before, an
 * answer by its text; where equal texts have several truths, one in common is enough.
 */
export class TruthJudge implements Judge {
  readonly name = 'trace';
  private readonly requests = new Map<string, Set<string>>();
  private readonly answers = new Map<string, Set<string>>();

  learn({ request, reply, truth }: TraceRecord): void {
    if (truth === undefined) return;
    const said = request.messages.map((turn) => textOf(turn) ?? '');
    note(this.requests, asked(said.at(-1) ?? '', said.slice(0, -1)), truth);
    note(this.answers, plain(textOf(reply.message) ?? ''), truth);
  }

  judge({ message, history, candidate }: Parameters<Judge['judge']>[0]): Promise<0 | 1 | undefined> {
    const wanted = this.requests.get(
      asked(
        message,
        history.map(({ text }) => text),
      ),
    );
    const given = this.answers.get(plain(candidate));
    if (wanted === undefined || given === undefined) return Promise.resolve(undefined);
    return Promise.resolve([...wanted].some((truth) => given.has(truth)) ? 0 : 1);
  }
}

function note(truths: Map<string, Set<string>>, key: string, truth: string): void {
  truths.set(key, (truths.get(key) ?? new Set()).add(truth));
}
