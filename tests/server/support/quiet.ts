import type { Log } from '#server/platform/log.ts';

/** Prints errors for the person who runs the tests and drops everything else. */
export const quietLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (...args: unknown[]) => console.error(...args),
};
