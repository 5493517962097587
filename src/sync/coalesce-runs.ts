/**
 * Work that runs once at a time. A call during a run makes it run once more, for what the call is about may have come
 * too late for the run; all of them resolve when the last run has ended. `after` follows each series of runs and holds
 * no new one up.
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
      // Right here: a call that comes later, even in the same moment, begins a run of its own.
      running = null;
    }
  }

  return {
    run(): Promise<void> {
      again = true;
      return (running ??= runUntilFresh().then(after));
    },
    /** Resolves when the run there is has ended; none follows it. */
    async end(): Promise<void> {
      again = false;
      await running?.catch(() => undefined);
    },
  };
}
