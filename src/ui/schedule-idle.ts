import { whenIdle } from './when-idle.ts';

/** Tasks per batch. */
const BATCH_SIZE = 3;

const waiting = new Set<() => void>();
let isPlanned = false;

function runBatch(): void {
  isPlanned = false;
  for (const work of [...waiting].slice(0, BATCH_SIZE)) {
    waiting.delete(work);
    work();
  }
  plan();
}

function plan(): void {
  if (isPlanned || waiting.size === 0) return;
  isPlanned = true;
  whenIdle(runBatch, { timeoutMs: 500, fallbackMs: 50 });
}

/**
 * Runs `work` when the page is idle, in the order of the calls and a few at a time, so that no frame is overloaded.
 * Returns a function that cancels it.
 */
export function scheduleIdle(work: () => void): () => void {
  waiting.add(work);
  plan();
  return () => {
    waiting.delete(work);
  };
}
