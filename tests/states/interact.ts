import type { Fixture } from './fixture.ts';

/** Runs beside the app: types and clicks as the fixture says, and marks the document when the screen is idle. */

declare const FIXTURE: Fixture;

const IDLE_MS = 400;
/** A screen that waits for a response may keep changing. */
const MAX_IDLE_WAIT_MS = 3000;

document.documentElement.style.fontSize = `${sessionStorage.getItem('letters') ?? '100'}%`;

const getName = (element: Element) =>
  (element.getAttribute('aria-label') ?? element.textContent ?? '').replace(/\s+/g, ' ').trim();
/** A button's name may be followed by its subject. */
const isNamed = (element: Element, name: string) =>
  getName(element) === name || getName(element).startsWith(`${name}:`);
const isVisible = (element: Element) => element.checkVisibility() && !element.closest('[inert]');
/** Finds a button by name, else a link. */
const findControl = (name: string) =>
  ['button, [role="tab"], [role="menuitem"], summary', 'a', 'label']
    .flatMap((kinds) => [...document.querySelectorAll<HTMLElement>(kinds)])
    .find((element) => isNamed(element, name) && isVisible(element));
const findField = (label: string) =>
  [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')].find((element) =>
    [...(element.labels ?? [])].some((each) => getName(each).startsWith(label)),
  );

/** Types as a user would: React only notices a value set through the element's own setter. */
function type(element: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const kind = element instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  Object.getOwnPropertyDescriptor(kind.prototype, 'value')!.set!.call(element, text);
  element.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Resolves with the first result of `query`, now or after a change of the page. */
function waitFor<T>(query: () => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    const now = query();
    if (now !== undefined) return resolve(now);
    const watcher = new MutationObserver(() => {
      const found = query();
      if (found === undefined) return;
      watcher.disconnect();
      resolve(found);
    });
    watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
}

/** Resolves once the page has not changed for `IDLE_MS`. */
function waitUntilIdle(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      watcher.disconnect();
      clearTimeout(longest);
      resolve();
    };
    const longest = setTimeout(end, MAX_IDLE_WAIT_MS);
    let still = setTimeout(end, IDLE_MS);
    const watcher = new MutationObserver(() => {
      clearTimeout(still);
      still = setTimeout(end, IDLE_MS);
    });
    watcher.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  });
}

/** Whether the page shows what it has. Where the server never answers, that is the state of waiting. */
function isShown(): boolean {
  const isBusy = document.querySelector('main [aria-busy="true"]') !== null;
  return isBusy ? FIXTURE.server === 'silent' : document.querySelector('main h1') !== null;
}

function fillDisk(): void {
  const refuse = () => {
    throw new DOMException('The quota has been exceeded', 'QuotaExceededError');
  };
  IDBObjectStore.prototype.put = refuse;
  IDBObjectStore.prototype.add = refuse;
}

async function interact(): Promise<void> {
  await waitFor(() => isShown() || undefined);
  // The app shows the notice after a delay.
  if (FIXTURE.server === 'gone') await waitFor(() => document.body.innerText.includes('No signal') || undefined);
  await waitUntilIdle();
  if (FIXTURE.isDiskFull) fillDisk();
  for (const [label, text] of Object.entries(FIXTURE.type ?? {})) type(await waitFor(() => findField(label)), text);
  for (const name of FIXTURE.press ?? []) {
    const element = await waitFor(() => findControl(name));
    element.scrollIntoView({ block: 'center' });
    element.click();
    await waitUntilIdle();
  }
  await document.fonts.ready;
  document.documentElement.dataset.fixture = 'ready';
}

addEventListener('DOMContentLoaded', () => void interact());
