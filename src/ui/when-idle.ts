interface Patience {
  /** It is done by then, busy or not, milliseconds. */
  latestMs: number;
  /** How long it waits in Safari, which cannot tell when it is idle. */
  blindMs: number;
}

/** Runs `work` when the page has nothing else to do. */
export function whenIdle(work: () => void, { latestMs, blindMs }: Patience): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: latestMs });
  else setTimeout(work, blindMs);
}
