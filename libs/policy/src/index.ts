export * from './guards/index.js';
export * from './decision/strict-similarity.js';
export * from './namespace-policy.js';
