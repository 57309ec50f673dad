export * from './app-config.js';
export type { Env } from './load/env-overrides.js';
export { loadConfig, type LoadOptions } from './load/load-config.js';
export { formatProblems, type ConfigProblem } from './load/problems.js';
export {
  effectivePolicy,
  parseNamespacePolicy,
  policyForRoute,
  sharingOf,
  type NamespacePolicy,
} from './policy/effective-policy.js';
export { learnsNothing } from './policy/learns-nothing.js';
export { costMicroUsd, defaultPrices, matchesGlob, priceOf } from './prices.js';
export { decisionNames, evictionNames, guardLanguages, guardNames } from './schema/cache.schema.js';
export { configJsonSchema } from './schema/flatten.js';
export { configReferenceMarkdown } from './reference/configuration-reference.js';
export { exampleYaml } from './reference/example-yaml.js';
export { redactConfig } from './reference/redact-config.js';
export { describeConfig } from './reference/describe.js';
