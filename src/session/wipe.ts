'fetched soon after the start';

import type { AccountDb } from '#db/database.ts';
import { clearSession } from '#db/device.ts';
import { queueSignOut } from '#db/pending-sign-outs.ts';
import { clearShared } from '#lib/shared-cache.ts';
import { clearStoredMedia } from '#lib/stored-media.ts';
import { writePendingWork } from '#session/pending-work-marker.ts';
import { removeBackup, listBackups } from '#session/draft-backup.ts';
import type { Sender } from '#net/wire.ts';

/** What happens to unsent changes at sign-out. 'account gone': the account was deleted, so nothing can be sent or ended on the server. */
export type SignOutMode = 'keep' | 'discard' | 'account gone';

interface OpenAccount {
  db: AccountDb;
  close(): Promise<void>;
}

/**
 * Signs out on this device. Works offline.
 * @param sender the session whose token requests carry
 */
export async function leaveAccount(
  account: OpenAccount,
  mode: SignOutMode,
  sender: { current: Sender | null },
): Promise<void> {
  // Fetched first: if that fails, the person is still signed in.
  const keepUnsent = mode === 'keep' ? (await import('./keep-unsent.ts')).keepOnlyUnsent : null;
  // Queued before the token is dropped, so that the server can be told later if it cannot be reached now.
  if (mode !== 'account gone' && sender.current) {
    localStorage.setItem('farewell', '1');
    await queueSignOut({ ...sender.current, hasDiscarded: mode === 'discard' });
  }
  // The token goes first: from here on neither this page nor the worker can send for the person who signed out.
  sender.current = null;
  localStorage.removeItem('token');
  await clearSession();
  await wipeAccountData(account, keepUnsent);
}

/** Ends the pushes to this browser and removes those that it shows. The server also ends them with the session, but only once it hears of it. */
async function endPushes(): Promise<void> {
  try {
    const registration = await (navigator.serviceWorker as ServiceWorkerContainer | undefined)?.getRegistration();
    for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
    // Not awaited: without a connection, a browser may wait for its push service.
    void (registration?.pushManager as PushManager | undefined)
      ?.getSubscription()
      .then((subscription) => subscription?.unsubscribe())
      .catch(console.warn);
  } catch (error) {
    // A browser that refuses shows general words from now on: see the service worker.
    console.warn(error);
  }
}

/**
 * Removes an account's data at sign-out.
 * @param keepUnsent leaves takes and the unsent changes with their ids and files; null deletes everything
 */
async function wipeAccountData(
  account: OpenAccount,
  keepUnsent: ((db: AccountDb) => Promise<void>) | null,
): Promise<void> {
  const { db } = account;
  await account.close();
  await Promise.all([clearStoredMedia(), clearShared(), endPushes()]);
  for (const key of listBackups(db.name)) removeBackup(db.name, key);
  if (keepUnsent) {
    await db.open();
    await keepUnsent(db);
    db.close();
  } else {
    await db.delete();
    // The files of takes, which are outside of the store. Nobody can reach them without it.
    await import('#lib/take-folder.ts').then(({ removeTakeFolders }) => removeTakeFolders(db.name)).catch(console.warn);
    // Written even though nothing waits: a missing marker means that the browser has deleted all data.
    writePendingWork(db.userId, { born: null, kinds: {} });
  }
}
