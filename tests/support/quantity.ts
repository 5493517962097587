/**
 * Two suites run the same tests in different quantities: `npm test` shows every behavior once, `npm run test:full` (which
 * sets FULL=1) repeats the random, exhaustive and slow ones as often as their proof asks for. Vitest files
 * named `*.full.test.ts` and browser tests tagged `@full` run in the full suite alone.
 */
export const isFull = process.env.FULL === '1';

/** How many of something to run: `few` by default, `many` in the full suite. */
export const quantity = (few: number, many: number): number => (isFull ? many : few);
