import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['node_modules', 'dist', 'data', 'test-results'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommended],
    languageOptions: {
      parserOptions: {
        project: ['contract', 'src', 'src/sw', 'src/workers', 'server', 'tests'].map(
          (realm) => `./${realm}/tsconfig.json`,
        ),
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    files: ['src/**/*.tsx', 'src/**/*.ts'],
    extends: [reactHooks.configs.flat.recommended],
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        // The build leaves the sections' examples out of the app: see scripts/bundle/sections.ts.
        { selector: "MemberExpression[property.name='example']", message: 'The app has no examples.' },
        {
          selector: "CallExpression:matches([callee.name='liveQuery'], [callee.property.name='liveQuery'])",
          message: 'Use watch() or useQuery(): they read again what the browser aborted.',
        },
        // Dexie follows native awaits only below a function it can see is async; below any other the transaction commits early.
        {
          selector: "CallExpression[callee.property.name='transaction'] > :function[async=false]",
          message: 'Give the transaction an async function: Dexie would commit too early.',
        },
        {
          selector:
            'CallExpression:matches([callee.name=/iveQuery$/], [callee.property.name=/iveQuery$/]) > :function[async=false]',
          message: 'Give the live query an async function: Dexie would stop watching at the first await.',
        },
        {
          selector: 'CallExpression[callee.property.name=/^(uniqueKeys|eachUniqueKey)$/]',
          message: 'WebKit cannot open a cursor over distinct keys where it would find none.',
        },
      ],
    },
  },
  {
    // Simulated runs replay only when time and chance come in as arguments.
    files: ['src/sync/**/*.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        'setTimeout',
        'setInterval',
        'fetch',
        'navigator',
        'localStorage',
        'window',
        'document',
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Ask the clock.' },
        { object: 'Math', property: 'random', message: 'Ask the ports.' },
        { object: 'crypto', property: 'randomUUID', message: 'Ask the ports.' },
      ],
    },
  },
);
