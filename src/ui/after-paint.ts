import { whenIdle } from './when-idle.ts';

/** Upper limit, because a page in the background never paints and a page may have no heading. */
const MAX_WAIT_MS = 3000;
/** Marks a rendered page: a heading, or its stand-in on a page that waits for the server. */
const PAGE_SELECTOR = 'h1, [data-page-rendered]';

/** Data that the first page on a new device needs before it can render. */
let required: Promise<unknown> = Promise.resolve();

let rendered: Promise<void> | null = null;

let hasSettled = false;

/**
 * Resolves when the page has rendered and painted. A first paint alone is not enough: on a busy phone it may show only
 * the layout around the page. All callers share one observer, since it sees every DOM change until then.
 */
function whenRendered(): Promise<void> {
  return (rendered ??= new Promise((resolve) => {
    let isPainted = false;
    const paints = new PerformanceObserver((list) => {
      isPainted ||= list.getEntriesByName('first-contentful-paint').length > 0;
      check();
    });
    const changes = new MutationObserver(() => check());
    const end = () => {
      paints.disconnect();
      changes.disconnect();
      resolve();
    };
    const check = () => {
      if (isPainted && document.querySelector(PAGE_SELECTOR)) end();
    };
    paints.observe({ type: 'paint', buffered: true });
    changes.observe(document, { childList: true, subtree: true });
    setTimeout(end, MAX_WAIT_MS);
  }));
}

/** Delays all `afterPaint` work until `until` settles and the page that depends on it has rendered. */
export function delayAfterPaint(until: Promise<unknown>): void {
  required = until;
  rendered = null;
  hasSettled = false;
}

/** Whether `afterPaint` work has run since the app started or since the last `delayAfterPaint`. */
export const hasPageSettled = (): boolean => hasSettled;

/** Runs `work` once the page has rendered, painted and become idle, so that it does not delay the first paint. */
export function afterPaint(work: () => void): void {
  const run = () => {
    hasSettled = true;
    work();
  };
  void required.then(whenRendered).then(() => whenIdle(run, { timeoutMs: 1000, fallbackMs: 200 }));
}
