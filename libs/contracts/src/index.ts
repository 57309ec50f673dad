export * from './admin.schema.js';
export * from './chat.schema.js';
export * from './feedback.schema.js';
export * from './headers.js';
