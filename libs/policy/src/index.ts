export * from './guards/index.js';
export * from './decision/strict-similarity.js';
export * from './namespace-policy.js';
export * from './admission/index.js';
export * from './eviction/index.js';
export * from './tiers/index.js';
export * from './ghosts/index.js';
export * from './registry.js';
