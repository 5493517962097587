import type { Fixture } from './fixture.ts';

/** Runs beside the app: presses what the scene wants pressed, and says on the document when the screen has come to rest. */

declare const FIXTURE: Fixture;

const IDLE_MS = 400;
/** A screen that waits for an answer may go on moving. */
const MAX_IDLE_WAIT_MS = 3000;

document.documentElement.style.fontSize = `${sessionStorage.getItem('letters') ?? '100'}%`;

const getName = (element: Element) =>
  (element.getAttribute('aria-label') ?? element.textContent ?? '').replace(/\s+/g, ' ').trim();
/** A button may be named by its words and what it is about. */
const isNamed = (element: Element, name: string) =>
  getName(element) === name || getName(element).startsWith(`${name}:`);
const isVisible = (element: Element) => element.checkVisibility() && !element.closest('[inert]');
/** A button where there is one of that name, else a link. */
const findControl = (name: string) =>
  ['button, [role="tab"], [role="menuitem"], summary', 'a', 'label']
    .flatMap((kinds) => [...document.querySelectorAll<HTMLElement>(kinds)])
    .find((element) => isNamed(element, name) && isVisible(element));
const findField = (label: string) =>
  [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')].find((element) =>
    [...(element.labels ?? [])].some((each) => getName(each).startsWith(label)),
  );

/** As a person would: React hears of a value only from the field itself. */
function type(element: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const kind = element instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  Object.getOwnPropertyDescriptor(kind.prototype, 'value')!.set!.call(element, text);
  element.dispatchEvent(new Event('input', { bubbles: true }));
}

/** What `look` finds, now or after a change of the page. */
function waitFor<T>(look: () => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    const now = look();
    if (now !== undefined) return resolve(now);
    const watcher = new MutationObserver(() => {
      const found = look();
      if (found === undefined) return;
      watcher.disconnect();
      resolve(found);
    });
    watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
}

/** Resolves once nothing on the page has changed for a while. */
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

function fillDisk(): void {
  const refuse = () => {
    throw new DOMException('The quota has been exceeded', 'QuotaExceededError');
  };
  IDBObjectStore.prototype.put = refuse;
  IDBObjectStore.prototype.add = refuse;
}

async function interact(): Promise<void> {
  await waitFor(() => document.querySelector('h1, [role="dialog"], [role="status"]') ?? undefined);
  // The app waits a moment before it says so.
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
