/** The import table (docs/architecture.md): kernel ← policy ← semantic-cache ← adapters ← nest ← apps, never back. */
const adapters = 'redis-store|memory-store|catalog|embeddings|judge|upstream|queues|observability';
const deep = {
  name: 'no-deep-imports',
  severity: 'error',
  from: { path: '^(libs|apps)/([^/]+)/' },
  to: { path: '^(libs|apps)/[^/]+/src/(?!index\\.ts)', pathNot: '^$1/$2/' },
};
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: { path: '^(libs|apps)/' }, to: { circular: true } },
    {
      name: 'kernel-imports-nothing',
      severity: 'error',
      from: { path: '^libs/kernel/' },
      to: { path: '^(libs/(?!kernel)|apps/)' },
    },
    {
      name: 'contracts-import-kernel',
      severity: 'error',
      from: { path: '^libs/contracts/' },
      to: { path: '^(libs/(?!kernel|contracts)|apps/)' },
    },
    {
      name: 'policy-imports-kernel',
      severity: 'error',
      from: { path: '^libs/policy/' },
      to: { path: '^(libs/(?!kernel|policy)|apps/)' },
    },
    {
      name: 'core-imports-policy',
      severity: 'error',
      from: { path: '^libs/semantic-cache/' },
      to: { path: '^(libs/(?!kernel|policy|semantic-cache)|apps/)' },
    },
    {
      name: 'adapter-imports-no-adapter',
      severity: 'error',
      from: { path: `^libs/(${adapters})/` },
      to: { path: `^libs/(${adapters}|nest|config)/`, pathNot: '^libs/$1/' },
    },
    { name: 'libs-import-no-app', severity: 'error', from: { path: '^libs/' }, to: { path: '^apps/' } },
    {
      name: 'nest-only-in-nest-and-apps',
      severity: 'error',
      from: { path: '^(libs/(?!nest/)|apps/simulator)' },
      to: { path: '@nestjs/' },
    },
    {
      name: 'testing-only-in-tests',
      severity: 'error',
      from: { path: '^(libs/(?!testing)|apps)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^libs/testing/' },
    },
    {
      // Numbers of the simulator are numbers of the product: it runs the core on a store, and nothing of a server.
      name: 'simulator-runs-the-core',
      severity: 'error',
      from: { path: '^apps/simulator/' },
      to: {
        path: '^(libs/(?!kernel|policy|semantic-cache|memory-store|redis-store|embeddings|config)|apps/(?!simulator))',
      },
    },
    {
      // Policies come from libs/policy alone, so that what a report names is what a namespace can be switched to.
      name: 'no-foreign-caches-in-the-simulator',
      severity: 'error',
      from: { path: '^apps/simulator/' },
      to: { path: 'node_modules/(lru-cache|quick-lru|mnemonist|cachemap|flru|tiny-lru|lfu|arc-cache)' },
    },
    deep,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['reprise-source', 'import', 'node', 'default'],
    },
  },
};
