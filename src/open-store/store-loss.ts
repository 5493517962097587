import type { AccountDb } from '#db/database.ts';
import { reachability } from '#net/client.ts';
import { retryOnStorageLoss, StorageError } from '#sync/storage-error.ts';
import { askToReload } from '#ui/ask-to-reload.ts';
import { isFormOpen } from '#ui/busy.ts';
import { ask, closeQuestion } from '#ui/confirm.tsx';
import { deviceWord } from '#ui/device.ts';
import { backUpHeldDrafts, isBackupRefused } from './draft-backup.ts';

/**
 * Why this page cannot continue to use its store. `lost`: the connection broke and could not be reopened, as on an iPhone
 * after hours in the background. `gone`: the browser deleted the store. `newer`: another tab upgraded it.
 */
export type StoreLossReason = 'lost' | 'gone' | 'newer';

const RELOADED_AT = 'reloaded-for-store';
/** Minimum time between two automatic reloads: if one did not help, another will not. */
const MIN_RELOAD_INTERVAL_MS = 5 * 60_000;
/** How long another tab may take to close the store before the person is asked to close that tab. */
const BLOCKED_GRACE_MS = 1500;

let lossReason: StoreLossReason | null = null;
let isAsking = false;

/** Reloads the page, or asks the person to if a form is open. Only the first call has an effect. */
export function handleStoreLoss(reason: StoreLossReason): void {
  if (lossReason !== null) return;
  lossReason = reason;
  if (reason === 'gone' && !isSignedOut()) backUpHeldDrafts();
  reloadOrAsk();
}

function reloadOrAsk(): void {
  // A hidden page waits: nobody would see the question, and a form may still be open when the person returns.
  if (document.visibilityState === 'hidden') {
    document.addEventListener('visibilitychange', reloadOrAsk, { once: true });
  } else if (!isFormOpen() && startReload()) {
    location.reload();
  } else {
    void offerReload();
  }
}

/** Records a reload and returns true, or returns false if one was just tried or would end on the browser's offline page. */
function startReload(): boolean {
  const isServed = navigator.serviceWorker?.controller != null || (navigator.onLine && reachability.get());
  if (!isServed) return false;
  try {
    const reloadedAt = Number(sessionStorage.getItem(RELOADED_AT));
    if (Math.abs(Date.now() - reloadedAt) < MIN_RELOAD_INTERVAL_MS) return false;
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}

/** In another tab, whose wish it was that nothing stays here. */
const isSignedOut = () => localStorage.getItem('token') === null;

function reloadText(): string {
  if (isBackupRefused() || (isFormOpen() && isSignedOut()))
    return `Copy what you typed first: this ${deviceWord()} could not keep it.`;
  if (isFormOpen()) return 'Your text is kept.';
  if (lossReason === 'newer') return 'A newer version of Callboard is open in another tab.';
  return `Callboard cannot reach what is stored on this ${deviceWord()}. If a reload does not help, close every Callboard tab and open it again.`;
}

/** Asks the person to reload. Does nothing while the question is already open. */
export async function offerReload(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  await askToReload(reloadText());
  isAsking = false;
}

/**
 * Repeats a read over a reopened connection. If that fails too, the page reloads and the promise never settles, so that the
 * screen stays as it was until then.
 */
export async function retryRead<T>(db: AccountDb, query: (db: AccountDb) => Promise<T>): Promise<T> {
  try {
    return await retryOnStorageLoss(db, async () => query(db));
  } catch (error) {
    if (!(error instanceof StorageError) || error.reason !== 'lost') throw error;
    handleStoreLoss('lost');
    return new Promise<never>(() => undefined);
  }
}

/**
 * Asks the person to close the other tabs, if those still hold a store after a moment.
 * @param text why it matters
 * @returns ends the wait, and closes the question if it is still open
 */
export function waitForOtherTabs(text: string): () => void {
  let isAsked = false;
  const timer = setTimeout(() => {
    isAsked = true;
    void ask({
      title: 'Close the other Callboard tabs',
      text,
      choices: [{ value: 'reload', label: 'Reload', look: 'line' }],
    }).then((answer) => {
      isAsked = false;
      if (answer === 'reload') location.reload();
    });
  }, BLOCKED_GRACE_MS);
  return () => {
    clearTimeout(timer);
    if (isAsked) closeQuestion();
  };
}

/** Asks the person to close the other tabs if one of them keeps an older version of the store open. */
export function askToCloseOtherTabs(db: AccountDb): void {
  const stop = waitForOtherTabs(
    'Callboard has been updated, but an older version is still open in another tab or window. Close it there, and this one opens by itself.',
  );
  db.on('ready', stop);
}
