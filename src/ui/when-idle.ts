interface IdleTimeouts {
  /** It is done by then, busy or not, milliseconds. */
  timeoutMs: number;
  /** How long it waits in Safari, which cannot tell when it is idle. */
  fallbackMs: number;
}

/** Runs `work` when the page has nothing else to do. */
export function whenIdle(work: () => void, { timeoutMs: latestMs, fallbackMs: blindMs }: IdleTimeouts): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: latestMs });
  else setTimeout(work, blindMs);
}
