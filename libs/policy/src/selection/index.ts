export * from './loss-table.js';
export * from './reverse-greedy.js';
