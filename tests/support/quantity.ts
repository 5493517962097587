/**
 * Two suites run the same tests in different quantities. `npm test` covers every behavior once. `npm run test:full`
 * sets FULL=1 and repeats the random, exhaustive and slow tests as often as needed for confidence. Vitest files named
 * `*.full.test.ts` and browser tests tagged `@full` run only in the full suite.
 */
export const isFull = process.env.FULL === '1';

/** The number of repetitions: `few` by default, `many` in the full suite. */
export const quantity = (few: number, many: number): number => (isFull ? many : few);
