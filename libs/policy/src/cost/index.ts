export * from './bounds.js';
export * from './online-krr.js';
export * from './reuse-metrics.js';
