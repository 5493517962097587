/** A page in the background never paints, and one may have no heading. */
const LONGEST_WAIT_MS = 3000;
/** A heading; or what stands for it on a page that waits for the server. */
const STANDING = 'h1, [data-stands]';

/** Safari has no requestIdleCallback. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: 1000 });
  else setTimeout(work, 200);
}

/**
 * Runs `work` once the page stands, has painted and rests, so that it does not compete with what is to be seen. A first
 * paint alone does not tell: on a busy phone that is the frame around a page still to come.
 */
export function afterPaint(work: () => void): void {
  let isDone = false;
  let isPainted = false;
  const once = () => {
    if (isDone) return;
    isDone = true;
    paints.disconnect();
    changes.disconnect();
    whenIdle(work);
  };
  const look = () => {
    if (isPainted && document.querySelector(STANDING)) once();
  };
  const paints = new PerformanceObserver((list) => {
    isPainted ||= list.getEntriesByName('first-contentful-paint').length > 0;
    look();
  });
  const changes = new MutationObserver(look);
  paints.observe({ type: 'paint', buffered: true });
  changes.observe(document, { childList: true, subtree: true });
  setTimeout(once, LONGEST_WAIT_MS);
}
