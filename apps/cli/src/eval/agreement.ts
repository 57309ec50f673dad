import { compareFingerprints, type GuardOptions, parseFingerprint } from '@reprise/policy';
import type { JudgedPair } from './figures.js';

/** A pair on which the gateway and the rule in the library do not agree. */
export interface Disagreement {
  readonly line: number;
  readonly gateway: string;
  readonly library: string;
}

/** Whether the gateway did what the rule in the library says of the same texts, cosines and configuration. */
export interface Agreement {
  /** Pairs that were decided by the rule. */
  readonly compared: number;
  /** Of these: refused or served with the same reason word. */
  readonly sameReason: number;
  /** Pairs that the exact tier answered: one request, asked twice. */
  readonly exact: number;
  /** Pairs that say nothing: not decided, or without a cosine. */
  readonly skipped: number;
  readonly disagreements: readonly Disagreement[];
}

const word = (served: boolean, reason: string): string => `${served ? 'served' : 'refused'} ${reason}`;

/** Compares each outcome with the verdict of the library, as if the two texts of a pair were all there is. */
export function agreementOf(pairs: readonly JudgedPair[], options: GuardOptions): Agreement {
  const disagreements: Disagreement[] = [];
  let [compared, sameReason, exact, skipped] = [0, 0, 0, 0];
  for (const { outcome, cosine } of pairs) {
    if (outcome.cache === 'hit-exact') exact += 1;
    else if (!outcome.decided || cosine === undefined) skipped += 1;
    else {
      const [a, b] = [parseFingerprint(outcome.pair.a), parseFingerprint(outcome.pair.b)];
      const verdict = compareFingerprints(b, a, cosine, options);
      compared += 1;
      if (verdict.reason === outcome.reason) sameReason += 1;
      if (verdict.serve === outcome.served) continue;
      disagreements.push({
        line: outcome.pair.line,
        gateway: word(outcome.served, outcome.reason),
        library: word(verdict.serve, verdict.reason),
      });
    }
  }
  return { compared, sameReason, exact, skipped, disagreements };
}

const SHOWN = 20;

/** An agreement as lines of text. */
export function agreementText({ compared, sameReason, exact, skipped, disagreements }: Agreement): string {
  const agreeing = compared - disagreements.length;
  const head = `\nlibrary and gateway: ${agreeing} of ${compared} verdicts are the same, ${sameReason} with the same reason; ${exact} pairs were answered by the exact tier, ${skipped} were not compared\n`;
  const rows = disagreements
    .slice(0, SHOWN)
    .map((each) => `line ${each.line}: ${each.gateway}, library ${each.library}\n`);
  return head + rows.join('');
}
