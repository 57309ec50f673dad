import { RepriseError } from '@reprise/kernel';
import type {
  PolicyFeedbackCall,
  PolicyFeedbackReply,
  PolicyInstallCall,
  PolicyInstallReply,
  PolicyLabelCall,
  PolicyLabelReply,
} from '@reprise/policy';
import type { PolicyEngine } from '@reprise/semantic-cache';
import { feedbackScript } from '../generated/feedback.gen.js';
import { installScript } from '../generated/install.gen.js';
import { labelScript } from '../generated/label.gen.js';
import type { ScriptRunner } from '../scripts/script-runner.js';

function feedbackArgs({ importance = 0, source = 0, requestId, delta, used }: PolicyFeedbackCall) {
  return { requestId, delta, importance, source, used };
}

/** The policies' functions on Redis. */
export class RedisPolicyEngine implements PolicyEngine {
  constructor(
    private readonly runner: ScriptRunner,
    private readonly timeoutMs: number,
  ) {}

  async feedback(ns: string, call: PolicyFeedbackCall): Promise<PolicyFeedbackReply> {
    const { step, c, tau, promoted, demoted } = await this.runner.run(feedbackScript, ns, feedbackArgs(call));
    return { step, c, tau, promoted, demoted };
  }

  async countFeedback(ns: string, call: PolicyFeedbackCall): Promise<boolean> {
    return (await this.runner.run(feedbackScript, ns, feedbackArgs(call))).status === 'ok';
  }

  async label(ns: string, call: PolicyLabelCall): Promise<PolicyLabelReply> {
    const { requestId, id, verdict, importance = -1, source = 0 } = call;
    const args = { requestId, entryId: id, correct: verdict === 'correct', importance, source };
    const { applied, promoted, demoted } = await this.runner.run(labelScript, ns, args);
    return { applied, promoted, demoted };
  }

  async install(ns: string, call: PolicyInstallCall): Promise<PolicyInstallReply> {
    // An eviction takes up to a quarter of a millisecond of the server's time.
    if (call.maxTrim > 16) throw new RepriseError('RP_ERR_INTERNAL', '(maxTrim is at most 16 a call.)');
    const args = { ...call, capacity: call.capacity ?? 0 };
    const reply = await this.runner.run(installScript, ns, args, { timeoutMs: this.timeoutMs });
    const { version, remaining, dropped, promoted, demoted, evicted } = reply;
    return { installed: reply.status === 'ok', version, remaining, dropped, promoted, demoted, evicted };
  }
}
