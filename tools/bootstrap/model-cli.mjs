// Finds or fetches the embedding model into the cache (for docker-compose.yml). Without one the gateways still start.
import { createContext } from './context.mjs';
import { findModel } from './model.mjs';

const { dir, way, reasons } = await findModel(createContext());
console.log(
  dir ? `The embedding model is in ${dir} (${way}).` : `No embedding model, exact tier only: ${reasons.join(' ')}`,
);
