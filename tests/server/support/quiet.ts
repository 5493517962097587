import type { Log } from '#server/platform/log.ts';

/** Errors are for the person who runs the tests; the rest is noise. */
export const quiet: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (...words: unknown[]) => console.error(...words),
};
