import tseslint from 'typescript-eslint';

const pure = ['libs/kernel/src/**/*.ts', 'libs/policy/src/**/*.ts', 'libs/semantic-cache/src/**/*.ts'];

export default tseslint.config(
  {
    ignores: ['**/dist/**', '**/node_modules/**', '.cache/**', '**/*.gen.ts', 'coverage/**', '.dependency-cruiser.cjs'],
  },
  ...tseslint.configs.recommended.map((c) => ({ ...c, files: ['**/*.ts'] })),
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: pure,
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Clock is an argument.' },
        { object: 'Math', property: 'random', message: 'Rng is an argument.' },
        { object: 'process', property: 'env', message: 'Only libs/config reads the environment.' },
      ],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['node:*', '!node:crypto', '!node:stream'], message: 'The core does no I/O.' },
            { group: ['ioredis', 'redis', 'bullmq', '@nestjs/*'], message: 'The core knows no adapter.' },
          ],
        },
      ],
    },
  },
  {
    // The simulator measures the product's policies; it has none of its own (issue 6).
    files: ['apps/simulator/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'TSClassImplements[expression.name=/Policy|EntryStore$/]',
          message: 'Policies and stores are implemented in libs only.',
        },
        {
          selector:
            ':matches(MethodDefinition, PropertyDefinition, Property[value.type=/Function/])[key.name=/^(admit|evict|victims?|feedback|promote|demote)$/]',
          message: 'The simulator calls policies of libs/policy; it does not implement any.',
        },
        {
          selector:
            ':matches(FunctionDeclaration, VariableDeclarator)[id.name=/^(admit|evict|promote|demote)(?!ted|ed|d)/]',
          message: 'The simulator calls policies of libs/policy; it does not implement any.',
        },
      ],
    },
  },
);
