export { GhostCache, type GhostEvent, type GhostWrite } from './ghost-cache.js';
export {
  defaultHandOver,
  HandOver,
  type HandOverConfig,
  type HandOverDecision,
  type HandOverState,
} from './hand-over.js';
