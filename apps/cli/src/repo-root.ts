import { fileURLToPath } from 'node:url';

/** The root of the clone; src and dist are at the same depth. */
export const repoRoot = fileURLToPath(new URL('../../../', import.meta.url));
