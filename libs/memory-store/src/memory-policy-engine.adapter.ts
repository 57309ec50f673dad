import type {
  PolicyFeedbackCall,
  PolicyFeedbackReply,
  PolicyInstallCall,
  PolicyInstallReply,
  PolicyLabelCall,
  PolicyLabelReply,
} from '@reprise/policy';
import type { PolicyEngine } from '@reprise/semantic-cache';
import { checkNamespaceName } from './check-namespace-name.js';
import type { MemoryState, NamespaceState } from './namespace-state.js';

/** The policies on the specification itself. */
export class MemoryPolicyEngine implements PolicyEngine {
  /** A repeated request is given the reply of its first call: the same object. */
  private readonly given = new WeakSet<PolicyFeedbackReply>();

  constructor(private readonly state: MemoryState) {}

  async feedback(ns: string, call: PolicyFeedbackCall): Promise<PolicyFeedbackReply> {
    return Promise.resolve(this.open(ns).policies.feedback(call));
  }

  async countFeedback(ns: string, call: PolicyFeedbackCall): Promise<boolean> {
    const reply = await this.feedback(ns, call);
    const first = !this.given.has(reply);
    this.given.add(reply);
    return first;
  }

  async label(ns: string, call: PolicyLabelCall): Promise<PolicyLabelReply> {
    return Promise.resolve(this.open(ns).policies.label(call));
  }

  async install(ns: string, call: PolicyInstallCall): Promise<PolicyInstallReply> {
    const space = this.open(ns);
    const reply = space.policies.install(call);
    for (const id of reply.evicted) {
      const gone = space.entries.get(id);
      if (gone) space.detach(gone);
    }
    return Promise.resolve(reply);
  }

  private open(ns: string): NamespaceState {
    checkNamespaceName(ns);
    return this.state.namespace(ns);
  }
}
