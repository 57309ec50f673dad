import type {
  PolicyFeedbackCall,
  PolicyFeedbackReply,
  PolicyInstallCall,
  PolicyInstallReply,
  PolicyLabelCall,
  PolicyLabelReply,
} from '@reprise/policy';

/**
 * What teaches the store its policy besides hits and admissions (docs/concepts/policies.md). Idempotent by request id;
 * the calls mean exactly what `PolicyStore` of libs/policy does with them.
 */
export interface PolicyEngine {
  /** An outcome that `exact`, `serve` and `admit` have not counted themselves: recalled memories, a loss without an offer. */
  feedback(ns: string, call: PolicyFeedbackCall): Promise<PolicyFeedbackReply>;
  /** As `feedback`; false when the request has counted before, so that this call did nothing. */
  countFeedback(ns: string, call: PolicyFeedbackCall): Promise<boolean>;
  /** A judge's verdict. */
  label(ns: string, call: PolicyLabelCall): Promise<PolicyLabelReply>;
  /** A recomputed planned tier, by compare-and-set on its version. */
  install(ns: string, call: PolicyInstallCall): Promise<PolicyInstallReply>;
}
