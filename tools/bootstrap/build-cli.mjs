// Builds the apps (for the Dockerfile).
import { createContext, sentence } from './context.mjs';
import { ensureBuild } from './install.mjs';

try {
  await ensureBuild(createContext());
} catch (error) {
  console.error(sentence(error));
  process.exitCode = 1;
}
