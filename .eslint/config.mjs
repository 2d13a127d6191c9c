/** What `npm run lint` demands. Format is Prettier's matter; no rule here is about it. */
import js from '@eslint/js';
import * as regexp from 'eslint-plugin-regexp';
import simpleImportSort from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';
import { plainEnglish } from './plain-english.mjs';

const SOURCES = ['command-api', 'query-api', 'projectors', 'shared', 'deploy', 'test'].map(
  (folder) => `${folder}/**/*.{ts,tsx}`,
);

export default tseslint.config(
  { ignores: ['dist/**', 'shared/engines/sqlite/vectors/kernel/**'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: SOURCES,
    extends: [js.configs.recommended, tseslint.configs.recommended, regexp.configs['flat/recommended']],
    languageOptions: { parserOptions: { project: 'tsconfig.json', tsconfigRootDir: `${import.meta.dirname}/..` } },
    plugins: { 'simple-import-sort': simpleImportSort, 'plain-english': plainEnglish },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // The compiler reports unused locals; a property taken out of an object so that the rest lacks it is used.
      '@typescript-eslint/no-unused-vars': 'off',
      // The check of Node's version, Node's modules, packages, our files; no blank lines between.
      'simple-import-sort/imports': ['error', { groups: [['^\\u0000', '^node:', '^@?\\w', '^\\.']] }],
      // A closure may read a variable before its one assignment.
      'prefer-const': ['error', { ignoreReadBeforeAssign: true }],
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': 'error',
      'plain-english/plain-words': 'error',
      'plain-english/comment-width': ['error', 120],
    },
  },
  {
    files: ['deploy/console/app/**'],
    languageOptions: {
      parserOptions: { project: 'deploy/console/app/tsconfig.json', tsconfigRootDir: `${import.meta.dirname}/..` },
    },
  },
  {
    files: SOURCES,
    ignores: ['test/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['any', 'timeout'].map((property) => ({
          object: 'AbortSignal',
          property,
          message:
            'Its signal may stay unaborted after a garbage collection: use withAnySignal or withTimeoutSignal of shared/kernel/concurrency/abort-signals.ts.',
        })),
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // chai's assertions are properties.
      '@typescript-eslint/no-unused-expressions': 'off',
      'plain-english/title-length': ['error', 90],
    },
  },
);
