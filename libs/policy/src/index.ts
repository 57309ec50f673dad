export * from './guards/index.js';
