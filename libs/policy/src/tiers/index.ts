export {
  PolicyInputError,
  type AdmitCall as PolicyAdmitCall,
  type AdmitReason as PolicyAdmitReason,
  type AdmitReply as PolicyAdmitReply,
  type FeedbackCall as PolicyFeedbackCall,
  type FeedbackReply as PolicyFeedbackReply,
  type InstallCall as PolicyInstallCall,
  type InstallReply as PolicyInstallReply,
  type LabelCall as PolicyLabelCall,
  type LabelReply as PolicyLabelReply,
} from './policy-calls.js';
export {
  articlePolicy,
  literalPolicy,
  plainPolicy,
  policyFragments,
  productPolicy,
  referencePolicy,
  slots,
  storePolicyNames,
  type PolicyConfig,
  type PolicyFragment,
  type StorePolicyName,
} from './policy-config.js';
export { type PolicyCounters } from './policy-counters.js';
export { PolicyStore } from './policy-store.js';
export { findFaults as findPolicyFaults } from './store-check.js';
export { provenOffset, type LiveEntry, type Tier } from './tier-set.js';
