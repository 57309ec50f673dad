export * from './cell-counts.js';
export * from './epsilon-net.js';
