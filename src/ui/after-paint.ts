import { whenIdle } from './when-idle.ts';

/** A page in the background never paints, and one may have no heading. */
const MAX_WAIT_MS = 3000;
/** A heading; or what stands for it on a page that waits for the server. */
const STANDING = 'h1, [data-stands]';

/** What the page cannot stand without on a new device. */
let held: Promise<unknown> = Promise.resolve();

let standing: Promise<void> | null = null;

let hasRested = false;

/**
 * The page stands and has painted. A first paint alone does not tell: on a busy phone that is the frame around a page
 * still to come. Looked for once, whoever asks: every change of the page is seen until then.
 */
function whenRendered(): Promise<void> {
  return (standing ??= new Promise((resolve) => {
    let isPainted = false;
    const paints = new PerformanceObserver((list) => {
      isPainted ||= list.getEntriesByName('first-contentful-paint').length > 0;
      look();
    });
    const changes = new MutationObserver(() => look());
    const end = () => {
      paints.disconnect();
      changes.disconnect();
      resolve();
    };
    const look = () => {
      if (isPainted && document.querySelector(STANDING)) end();
    };
    paints.observe({ type: 'paint', buffered: true });
    changes.observe(document, { childList: true, subtree: true });
    setTimeout(end, MAX_WAIT_MS);
  }));
}

/** Whatever waits for the paint waits for `until` first, and then for the page that stands with it. */
export function delayAfterPaint(until: Promise<unknown>): void {
  held = until;
  standing = null;
  hasRested = false;
}

/** Whether there was such a rest since the app started or was last held back: then nothing waits for it any more. */
export const isAtRest = (): boolean => hasRested;

/** Runs `work` once the page stands, has painted and rests, so that it does not compete with what is to be seen. */
export function afterPaint(work: () => void): void {
  const rest = () => {
    hasRested = true;
    work();
  };
  void held.then(whenRendered).then(() => whenIdle(rest, { timeoutMs: 1000, fallbackMs: 200 }));
}
