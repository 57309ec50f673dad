export * from './admin.schema.js';
export * from './chat.schema.js';
export * from './feedback.schema.js';
export * from './header-meanings.js';
export * from './headers.js';
export * from './memory.schema.js';
export * from './reasons.js';
