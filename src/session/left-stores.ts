import { AccountDb } from '#db/database.ts';
import { readSession } from '#db/device.ts';
import { dropLeftStore, readLeftStores } from '#db/pending-sign-outs.ts';
import { exclusively } from '#lib/exclusively.ts';
import { removeTakeFolders } from '#lib/take-folder.ts';
import { listBackups, removeBackup } from '#open-store/draft-backup.ts';
import { writePendingWork } from '#open-store/pending-work-marker.ts';
import { waitForOtherTabs } from '#open-store/store-loss.ts';
import { deviceWord } from '#ui/device.ts';
import { keepOnlyUnsent } from './keep-unsent.ts';

/**
 * Deletes the stores of those who have signed out on this device, or leaves in them only what they keep. The next start and the person's next
 * sign-in repeat it if the page ended before: nobody finds again what they have discarded.
 * @param userId whose store; everybody's by default
 */
export async function wipeLeftStores(userId?: string): Promise<void> {
  const left = await readLeftStores();
  await Promise.all(
    left.filter((store) => userId === undefined || store.userId === userId).map(({ name }) => wipeLeftStore(name)),
  );
}

/** Tabs take turns. */
const wipeLeftStore = (name: string): Promise<void> =>
  exclusively(`left:${name}`, async () => {
    const left = (await readLeftStores()).find((store) => store.name === name);
    if (left === undefined) return;
    // Whoever has signed in again needs their store.
    if ((await readSession())?.userId !== left.userId) {
      const db = new AccountDb(name, left.userId);
      await (left.keepsUnsent ? keepUnsent(db) : deleteStore(db));
    }
    await dropLeftStore(name);
  });

async function keepUnsent(db: AccountDb): Promise<void> {
  await db.open();
  await keepOnlyUnsent(db);
  db.close();
}

async function deleteStore(db: AccountDb): Promise<void> {
  for (const key of listBackups(db.name)) removeBackup(db.name, key);
  let stopWaiting: (() => void) | undefined;
  // A tab that is awake closes the store at once; one that is frozen cannot.
  db.on('blocked', () => {
    stopWaiting ??= waitForOtherTabs(
      `One of them holds what is to be removed from this ${deviceWord()}. Close them, and this goes on by itself.`,
    );
  });
  await db.delete();
  stopWaiting?.();
  // The files of takes, which are outside of the store. Nobody can reach them without it.
  await removeTakeFolders(db.name).catch(console.warn);
  // Written even though nothing waits: a missing marker means that the browser has deleted all data.
  writePendingWork(db.userId, { born: null, kinds: {} });
}
