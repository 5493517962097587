import type { AccountDb } from '#db/database.ts';
import { reach } from '#net/client.ts';
import { guarded, StorageTrouble } from '#sync/storage-error.ts';
import { ask, closeQuestion } from '#ui/confirm.tsx';
import { deviceWord } from '#ui/device.ts';
import { areSparesRefused } from './spare-drafts.ts';

/**
 * Why this page cannot go on with its store. lost: the connection broke and would not open again, as on an iPhone after
 * hours in the background. gone: the browser deleted the store. newer: another tab has brought it to a newer version.
 */
export type Loss = 'lost' | 'gone' | 'newer';

const RELOADED_AT = 'reloaded-for-store';
/** A page that reloaded by itself does not do so again for this long, milliseconds: once must have helped. */
const ONCE_IN_MS = 5 * 60_000;
/** How long another tab may take to let go of the store before the person is asked to close it, milliseconds. */
const PATIENCE_MS = 1500;

let loss: Loss | null = null;
let isAsking = false;

/** The page needs a reload: it reloads by itself where nothing is typed, and asks the person where a form is open. */
export function leaveStore(why: Loss): void {
  if (loss !== null) return;
  loss = why;
  reloadOrAsk();
}

function reloadOrAsk(): void {
  // Nobody sees a hidden page, and a form may still be open when they come back.
  if (document.visibilityState === 'hidden') {
    document.addEventListener('visibilitychange', reloadOrAsk, { once: true });
  } else if (!isFormOpen() && mayReload()) {
    location.reload();
  } else {
    void offerReload();
  }
}

/** A sheet, a question, or a page that is a form: anything that may hold typed words. */
const isFormOpen = () => document.querySelector('dialog[open], main form') !== null;

/** Notes the reload. False where one has just been tried, or would end on the browser's page for no connection. */
function mayReload(): boolean {
  const isServed = navigator.serviceWorker?.controller != null || (navigator.onLine && reach.get());
  if (!isServed) return false;
  try {
    const before = Number(sessionStorage.getItem(RELOADED_AT));
    if (Math.abs(Date.now() - before) < ONCE_IN_MS) return false;
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}

function reloadText(): string {
  if (areSparesRefused()) return `Copy what you typed first: this ${deviceWord()} could not keep it.`;
  if (isFormOpen()) return 'Your text is kept.';
  if (loss === 'newer') return 'A newer version of Callboard is open in another tab.';
  return `Callboard cannot reach what is stored on this ${deviceWord()}. If a reload does not help, close every Callboard tab and open it again.`;
}

/** Offers a reload as the way on. One question at a time, however many failures ask for it. */
export async function offerReload(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  const answer = await ask({
    title: 'Reload to go on',
    text: reloadText(),
    choices: [
      { value: 'later', label: 'Not now', look: 'line' },
      { value: 'reload', label: 'Reload', look: 'primary' },
    ],
  });
  isAsking = false;
  if (answer === 'reload') location.reload();
}

/** Reads once more over a reopened connection. Where that fails too, the page is left, and the screen stays as it was. */
export async function readAgain<T>(db: AccountDb, query: (db: AccountDb) => Promise<T>): Promise<T> {
  try {
    return await guarded(db, async () => query(db));
  } catch (error) {
    if (!(error instanceof StorageTrouble) || error.reason !== 'lost') throw error;
    leaveStore('lost');
    return new Promise<never>(() => undefined);
  }
}

/** Another tab holds the store in an older version and does not let go: only the person can close it. */
export function tellBlocked(db: AccountDb): void {
  setTimeout(() => {
    if (db.isOpen()) return;
    void ask({
      title: 'Close the other Callboard tabs',
      text: 'Callboard has been updated, but an older version is still open in another tab or window. Close it there, and this one opens by itself.',
      choices: [{ value: 'reload', label: 'Reload', look: 'line' }],
    }).then((answer) => answer === 'reload' && location.reload());
    db.on('ready', closeQuestion);
  }, PATIENCE_MS);
}
