import { isAnythingBusy, isFormOpen } from './busy.ts';

const RETRY_MS = 5000;

let isOffered = false;

/** Cancels the reload while something may be typed or is being stored. A person who types is asked once. */
function postponeWhileBusy(event: Event): void {
  if (!isAnythingBusy() && !isFormOpen()) return;
  event.preventDefault();
  if (isOffered || !isFormOpen()) return;
  isOffered = true;
  import('./ask-to-reload.ts').then(
    ({ askToReload }) => askToReload('A part of Callboard was not loaded. Your text is kept.'),
    console.warn,
  );
}

/**
 * Repairs a page that lacks some of its code, and reloads it when the server answers and nothing is typed. Fetching the code
 * again is not enough: browsers keep a module that could not be loaded as failed while the page is open. `rescue.js`, which
 * also helps a page that did not start, does the work; it comes from the server, under an address that no cache knows.
 */
export function rescuePage(): void {
  // The script sets this mark. Whatever a captive portal sends in its place does not.
  if ('rescue' in document.documentElement.dataset) return;
  if (!navigator.onLine) {
    addEventListener('online', rescuePage, { once: true });
    return;
  }
  addEventListener('rescue', postponeWhileBusy);
  const script = document.createElement('script');
  script.src = `/rescue.js?${Date.now()}`;
  const retry = () => setTimeout(rescuePage, RETRY_MS);
  script.addEventListener('load', retry);
  script.addEventListener('error', retry);
  document.head.append(script);
}
