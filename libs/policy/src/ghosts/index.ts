export { GhostCache, type GhostEvent } from './ghost-cache.js';
export {
  defaultHandOver,
  HandOver,
  type HandOverConfig,
  type HandOverDecision,
  type HandOverState,
} from './hand-over.js';
