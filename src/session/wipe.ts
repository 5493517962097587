'fetched soon after the start';

import type { AccountDb } from '#db/database.ts';
import { clearSession, readSession } from '#db/device.ts';
import { queueSignOut } from '#db/pending-sign-outs.ts';
import { clearStoredMedia } from '#lib/stored-media.ts';
import { writePendingWork } from '#open-store/pending-work-marker.ts';
import { forgetHeldDrafts, listBackups, removeBackup } from '#open-store/draft-backup.ts';
import type { Sender } from '#net/wire.ts';

/** Loaded only now: a device without a worker, which keeps all code, has no pushes. Those of a browser that refuses show general words from now on. */
const endPushes = () => import('./pending-sign-outs.ts').then((ending) => ending.endPushes()).catch(console.warn);

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
  const { db } = account;
  // In an old tab, what all tabs share belongs to whoever has signed in since.
  const isOwner = ((await readSession())?.userId ?? db.userId) === db.userId;
  // Until the session is removed as well, the next start puts its token back: nobody is signed out by half.
  if (isOwner) localStorage.removeItem('token');
  if (mode !== 'account gone' && sender.current) {
    localStorage.setItem('farewell', '1');
    // The server can be told later if it cannot be reached now.
    await queueSignOut({ ...sender.current, hasDiscarded: mode === 'discard' }, isOwner);
  } else if (isOwner) await clearSession();
  // From here on neither this page nor the worker can send for the person who signed out.
  sender.current = null;
  await account.close();
  if (isOwner) await Promise.all([clearStoredMedia(), endPushes()]);
  await wipeStore(db, keepUnsent);
}

/**
 * Removes an account's data on this device.
 * @param keepUnsent leaves takes and the unsent changes with their ids and files; null deletes everything
 */
async function wipeStore(db: AccountDb, keepUnsent: ((db: AccountDb) => Promise<void>) | null): Promise<void> {
  forgetHeldDrafts();
  if (keepUnsent) {
    await db.open();
    await keepUnsent(db);
    db.close();
  } else {
    for (const key of listBackups(db.name)) removeBackup(db.name, key);
    await db.delete();
    // The files of takes, which are outside of the store. Nobody can reach them without it.
    await import('#lib/take-folder.ts').then(({ removeTakeFolders }) => removeTakeFolders(db.name)).catch(console.warn);
    // Written even though nothing waits: a missing marker means that the browser has deleted all data.
    writePendingWork(db.userId, { born: null, kinds: {} });
  }
}
