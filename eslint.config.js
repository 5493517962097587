import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { renderedNumber } from './scripts/lint/rendered-number.js';

/** The folders of each realm. Every file is read with the types of its own realm only, so that a part can be linted without the others. */
const REALMS = {
  contract: ['contract'],
  src: ['src'],
  'src/sw': ['src/sw'],
  'src/workers': ['src/workers'],
  server: ['server'],
  tests: ['tests', 'scripts', 'bench', '.'],
};

/** The TypeScript files of a folder; of the project's own folder, only those that are in no other. */
const filesOf = (folder) => (folder === '.' ? ['*.ts'] : [`${folder}/**/*.ts`, `${folder}/**/*.tsx`]);

// A later entry replaces an earlier one for the same file: src/sw is a realm of its own within src.
const typesOf = ([realm, folders]) => ({
  files: folders.flatMap(filesOf),
  languageOptions: {
    parserOptions: { project: `./${realm}/tsconfig.json`, tsconfigRootDir: import.meta.dirname },
  },
});

export default tseslint.config(
  { ignores: ['node_modules', 'dist', 'data', 'test-results'] },
  ...Object.entries(REALMS).map(typesOf),
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommended],
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
    plugins: { callboard: { rules: { 'rendered-number': renderedNumber } } },
    rules: { 'callboard/rendered-number': 'error' },
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
