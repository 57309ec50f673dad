// Installs the dependencies, if they are not installed as package-lock.json says (for .ci/run and Docker).
import { createContext, sentence } from './context.mjs';
import { ensureDependencies } from './install.mjs';

try {
  const done = await ensureDependencies(createContext());
  console.log(done ? 'Dependencies installed.' : 'Dependencies are as package-lock.json says.');
} catch (error) {
  console.error(sentence(error));
  process.exitCode = 1;
}
