export * from './neighbour-net.js';
export * from './plan-draft.js';
export * from './plan-triggers.js';
