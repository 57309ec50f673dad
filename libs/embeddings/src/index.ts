export { createVectorCacheInFront, type SharedCacheOptions } from './cache/vector-cache-in-front.js';
export type { EmbedderState, ManagedEmbedder } from './embedder.types.js';
export { createRemoteEmbedder, type RemoteEmbedderOptions } from './remote/remote-embedder.js';
export { createHashingEmbedder } from './testing/hashing-embedder.js';
export { textHash } from './text-hash.js';
export {
  createTransformersEmbedder,
  type TransformersEmbedderOptions,
} from './transformers/create-transformers-embedder.js';
export { MODEL_NAME, type ModelDtype } from './transformers/model-files.js';
export { createUnavailableEmbedder } from './unavailable-embedder.js';
