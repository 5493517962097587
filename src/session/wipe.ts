'fetched soon after the start';

import { AccountDb } from '#db/database.ts';
import { readSession } from '#db/device.ts';
import { dropLeftStore, queueSignOut, readLeftStores } from '#db/pending-sign-outs.ts';
import { exclusively } from '#lib/exclusively.ts';
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
  const keepsUnsent = mode === 'keep';
  // Fetched first: if that fails, the person is still signed in.
  if (keepsUnsent) await fetchKeepUnsent();
  const { db } = account;
  // In an old tab, what all tabs share belongs to whoever has signed in since.
  const isOwner = ((await readSession())?.userId ?? db.userId) === db.userId;
  // Until the session is removed as well, the next start puts its token back: nobody is signed out by half.
  if (isOwner) localStorage.removeItem('token');
  localStorage.setItem('farewell', '1');
  // The server can be told later if it cannot be reached now.
  const signOut = mode === 'account gone' ? null : sender.current;
  await queueSignOut(
    signOut && { ...signOut, hasDiscarded: mode === 'discard' },
    { name: db.name, userId: db.userId, keepsUnsent },
    isOwner,
  );
  // From here on neither this page nor the worker can send for the person who signed out.
  sender.current = null;
  await account.close();
  forgetHeldDrafts();
  if (isOwner) await Promise.all([clearStoredMedia(), endPushes()]);
  await wipeLeftStores();
}

const fetchKeepUnsent = () => import('./keep-unsent.ts');

/**
 * Deletes the stores of those who have signed out on this device, or leaves in them only what they keep. The next start and the next
 * sign-in repeat it if the page ended before: nobody finds again what they have discarded.
 */
export const wipeLeftStores = (): Promise<void> =>
  exclusively('left-stores', async () => {
    for (const { name, userId, keepsUnsent } of await readLeftStores()) {
      // Whoever is signed in, in another tab since then, needs their store.
      if ((await readSession())?.userId !== userId) await wipeStore(new AccountDb(name, userId), keepsUnsent);
      await dropLeftStore(name);
    }
  });

/** @param keepsUnsent leaves takes, drafts and the unsent changes with their ids and files; otherwise deletes everything */
async function wipeStore(db: AccountDb, keepsUnsent: boolean): Promise<void> {
  if (keepsUnsent) {
    const { keepOnlyUnsent } = await fetchKeepUnsent();
    await db.open();
    await keepOnlyUnsent(db);
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
