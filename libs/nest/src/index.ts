export { createRuntime, version } from './create-runtime.js';
export { RUNTIME, type Runtime } from './runtime.js';
export { RuntimeModule } from './runtime.module.js';
export { seedSecret } from './seed-secret.js';
