export { drawBeta, drawGamma, drawNormal, onScoreGrid } from './beta.js';
export { unpackRecord, type EntryRecord } from './entry-record.js';
export { addEvidence, posteriorAt, type Posterior, type PosteriorConfig } from './posterior.js';
export { type BonusConfig, type ScoreName } from './scores.js';
export { type CachePolicy } from './cache-policy.js';
