/**
 * Runs `work` one call at a time. A call during a run requests another run, because the current one may have started
 * too early for it. `after` runs once after each series of runs and does not delay a new series. All calls of a series
 * resolve after both.
 */
export function coalesceRuns(work: () => Promise<void>, after?: () => Promise<void>) {
  let running: Promise<void> | null = null;
  let again = false;

  async function runUntilFresh(): Promise<void> {
    try {
      do {
        again = false;
        await work();
      } while (again);
    } finally {
      // Reset before this promise settles, so that any later call starts a new run.
      running = null;
    }
  }

  return {
    run(): Promise<void> {
      again = true;
      return (running ??= runUntilFresh().then(after));
    },
    /** Whether a series is under way. */
    isRunning: () => running !== null,
    /** Cancels requested runs and resolves when the current run has ended. */
    async end(): Promise<void> {
      again = false;
      await running?.catch(() => undefined);
    },
  };
}
