'fetched soon after the start';

import type { AccountDb } from '#db/database.ts';
import { readSession } from '#db/device.ts';
import { queueSignOut } from '#db/pending-sign-outs.ts';
import { exclusively } from '#lib/exclusively.ts';
import { clearStoredMedia } from '#lib/stored-media.ts';
import { forgetHeldDrafts } from '#open-store/draft-backup.ts';
import type { Sender } from '#net/wire.ts';

/** Loaded only now: a device without a worker, which keeps all code, has no pushes. Those of a browser that refuses show general words from now on. */
const endPushes = () => import('./pending-sign-outs.ts').then((ending) => ending.endPushes()).catch(console.warn);

/** What happens to unsent changes at sign-out. 'account gone': the account was deleted, so nothing can be sent or ended on the server. */
export type SignOutMode = 'keep' | 'discard' | 'account gone';

interface OpenAccount {
  db: AccountDb;
  close(): Promise<void>;
}

/** How long to wait for the store to be deleted. A frozen tab may hold it for hours; then it is deleted later. */
const WIPE_TIMEOUT_MS = 5000;

/**
 * Signs out on this device. Works offline.
 * @param sender the session whose token requests carry; null from the moment when the person has signed out
 */
export async function leaveAccount(
  account: OpenAccount,
  mode: SignOutMode,
  sender: { current: Sender | null },
): Promise<void> {
  const { db } = account;
  // In an old tab, what all tabs share belongs to whoever has signed in since.
  const isOwner = ((await readSession())?.userId ?? db.userId) === db.userId;
  // Until the session is removed as well, the next start puts its token back: nobody is signed out by half.
  if (isOwner) localStorage.removeItem('token');
  localStorage.setItem('farewell', '1');
  // The server can be told later if it cannot be reached now.
  const signOut = mode === 'account gone' ? null : sender.current;
  // Waits for a tab that stores a new token, which would bring the session back.
  await exclusively('stored-session', () =>
    queueSignOut(
      signOut && { ...signOut, hasDiscarded: mode === 'discard' },
      { name: db.name, userId: db.userId, keepsUnsent: mode === 'keep' },
      isOwner,
    ),
  );
  // From here on neither this page nor the worker can send for the person who signed out.
  sender.current = null;
  // Tells the other tabs, which must not go on with a store that is to be deleted.
  localStorage.setItem('farewell', '2');
  await account.close();
  forgetHeldDrafts();
  if (isOwner) await Promise.all([clearStoredMedia(), endPushes()]);
  const wiped = import('./left-stores.ts').then(({ wipeLeftStores }) => wipeLeftStores(db.userId)).catch(console.warn);
  await Promise.race([wiped, new Promise((resolve) => setTimeout(resolve, WIPE_TIMEOUT_MS))]);
}
