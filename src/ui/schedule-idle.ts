import { whenIdle } from './when-idle.ts';

/** Pieces of work done in one go. */
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

/** Does `work` once the page has time for it, after what was there before; a few at a time, so that no frame has many. Returns what
 * calls it off. */
export function scheduleIdle(work: () => void): () => void {
  waiting.add(work);
  plan();
  return () => {
    waiting.delete(work);
  };
}
