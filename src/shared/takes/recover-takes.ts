import type { AccountDb } from '#db/database.ts';
import type { Take } from '#db/rows.ts';
import { clockText } from '#lib/dates.ts';
import { webLock } from '#lib/platform.ts';
import { count } from '#lib/text.ts';
import { navigate } from '#ui/router.tsx';
import { toast } from '#ui/Toast.tsx';
import { getTakeLock, inspectTake, sealTake } from './seal-take.ts';
import { cutTake, deleteTake } from './take-storage.ts';

/** 'Your take of 14:32 was saved (39 s)'. */
export function formatSaved(takes: readonly Pick<Take, 'startedAt' | 'duration'>[]): string {
  const [first] = takes;
  if (takes.length !== 1 || first === undefined) return `${count(takes.length, 'interrupted take')} were saved`;
  return `Your take of ${clockText(first.startedAt)} was saved (${Math.round(first.duration)} s)`;
}

/** Tells once about takes that were saved after the app had ended. With several tabs, one of them tells. */
async function tellSaved(db: AccountDb): Promise<void> {
  const untold = await db.transaction('rw', db.takes, async () => {
    const takes = (await db.takes.toArray()).filter(({ isUntold }) => isUntold);
    for (const { id } of takes)
      await db.takes
        .where('id')
        .equals(id)
        .modify((take) => void delete take.isUntold);
    return takes;
  });
  if (untold.length === 0) return;
  toast({
    text: formatSaved(untold),
    action: { label: 'Show', onSelect: () => navigate('/booth/takes') },
    stays: true,
  });
}

/** Seals an interrupted take. Call it with the lock of the take. */
async function recoverTake(db: AccountDb, id: string): Promise<void> {
  const take = await db.takes.get(id);
  // Another tab may have sealed it before this one got the lock.
  if (take?.state !== 'recording') return;
  const length = await cutTake(db, take);
  await sealTake(db, id, length, 'closed', true);
  if (length.bytes === 0) toast({ text: `Your take of ${clockText(take.startedAt)} ended before its first second` });
  else await inspectTake(db, { ...take, state: 'sealed' }).catch(console.warn);
}

/**
 * Finishes what the end of the app interrupted: takes that were being recorded are cut back to their last whole slice and
 * sealed, and deletions are carried out. Takes that another tab is recording stay as they are.
 */
export async function recoverTakes(db: AccountDb): Promise<void> {
  for (const take of await db.takes.where('state').equals('deleted').toArray()) {
    await deleteTake(db, take).catch(console.warn);
  }
  for (const { id } of await db.takes.where('state').equals('recording').toArray()) {
    // One that cannot be opened now is tried again at the next start.
    await webLock(getTakeLock(id))
      .tryRun(() => recoverTake(db, id))
      .catch(console.warn);
  }
  await tellSaved(db);
  // The app may also have ended between sealing a take and looking into it.
  for (const take of await db.takes.where('state').equals('sealed').toArray()) {
    if (take.size === null) await inspectTake(db, take).catch(console.warn);
  }
}
