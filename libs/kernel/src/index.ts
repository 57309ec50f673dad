export * from './canonical-json.js';
export * from './clock.js';
export * from './errors/codes.js';
export * from './hash.js';
export * from './log.js';
export * from './result.js';
export * from './rng.js';
export * from './telemetry.js';
