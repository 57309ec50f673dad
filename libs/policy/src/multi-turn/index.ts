export * from './content-rules.js';
export * from './pair-risk.js';
export * from './reuse-options.js';
