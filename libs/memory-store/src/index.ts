export { createMemoryStore, type MemoryStore } from './memory-store.js';
