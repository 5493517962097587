let held: { promise: Promise<void>; release(): void } | null = null;

/** Holds the job of this worker at its next picture, or lets it go on. */
export function setPaused(isPaused: boolean): void {
  if (isPaused && held === null) {
    let release = () => {};
    const promise = new Promise<void>((resolve) => (release = resolve));
    held = { promise, release };
  } else if (!isPaused) {
    held?.release();
    held = null;
  }
}

/** Resolves when the job may go on. */
export const whenRunning = async (): Promise<void> => held?.promise;
