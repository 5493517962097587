interface IdleTimeouts {
  /** Maximum delay, even if the page is busy. */
  timeoutMs: number;
  /** Delay in browsers without `requestIdleCallback` (Safari). */
  fallbackMs: number;
}

/** Runs `work` when the page has nothing else to do. */
export function whenIdle(work: () => void, { timeoutMs, fallbackMs }: IdleTimeouts): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: timeoutMs });
  else setTimeout(work, fallbackMs);
}
