export * from './bounds.js';
export * from './online-krr.js';
