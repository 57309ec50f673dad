import { defineConfig } from 'vitest/config';

const resolve = { conditions: ['reprise-source', 'node', 'import', 'module', 'default'] };
const ssr = { resolve: { conditions: resolve.conditions, externalConditions: resolve.conditions } };

/** One project per test tier (CONTRIBUTING.md, "Tests"). Sources are read without a build through the `reprise-source` condition. */
const tier = (name: string, include: string[], options: Record<string, unknown> = {}) => ({
  resolve,
  ssr,
  test: { name, include, environment: 'node', retry: 0, ...options },
});

const slow = { testTimeout: 120_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    projects: [
      tier('unit', ['libs/*/src/**/*.spec.ts', 'apps/*/src/**/*.spec.ts', 'tools/*/**/*.spec.ts'], {
        testTimeout: 60_000,
      }),
      tier('contract', ['test/contract/**/*.spec.ts'], slow),
      tier('property', ['test/property/**/*.spec.ts'], slow),
      tier('integration', ['test/integration/**/*.spec.ts'], slow),
      tier('cluster', ['test/cluster/**/*.spec.ts'], slow),
      tier('e2e', ['test/e2e/**/*.e2e-spec.ts'], { ...slow, fileParallelism: false }),
      tier('fidelity', ['test/fidelity/**/*.spec.ts'], slow),
      tier('fault', ['test/fault/**/*.spec.ts'], { ...slow, fileParallelism: false }),
    ],
  },
});
