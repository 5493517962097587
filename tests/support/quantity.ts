/**
 * Two suites run the same tests in different quantities. `npm test` covers what every feature does. `npm run test:full`
 * sets FULL=1, adds variants and rare failures, and repeats the random and exhaustive tests as often as needed for
 * confidence. Vitest files named `*.full.test.ts`, tests inside `if (isFull)` and browser tests tagged `@full` run only
 * in the full suite.
 */
export const isFull = process.env.FULL === '1';

/** The number of repetitions: `few` by default, `many` in the full suite. */
export const quantity = (few: number, many: number): number => (isFull ? many : few);
