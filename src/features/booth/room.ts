import type { AccountDb } from '#db/database.ts';
import { clearSeenMedia } from '#lib/stored-media.ts';

/** A minute of a take at the recorder's bit rate, twice: the recording and its finished copy. */
const MINUTE_BYTES = 2 * 20 * 1024 * 1024;
/** Left free for everything else that the app has to store. */
const RESERVE_BYTES = 50 * 1024 * 1024;
/** With less than this, the booth says so before it records. */
export const LOW_ROOM_MINUTES = 2;

/** Whole minutes that fit into this many bytes. */
export const toMinutes = (freeBytes: number): number =>
  Math.max(0, Math.floor((freeBytes - RESERVE_BYTES) / MINUTE_BYTES));

/** Bytes of all takes, as their rows say. */
async function countTakeBytes({ takes }: AccountDb): Promise<number> {
  let sum = 0;
  await takes.each(({ bytes, copy }) => void (sum += bytes + (copy?.size ?? 0)));
  return sum;
}

/**
 * Minutes that can still be recorded; null if the browser does not tell. After the browser was killed, Chromium reports
 * files of the origin private file system as unused space until it is closed once, so the takes are counted here.
 */
export async function readFreeMinutes(db: AccountDb): Promise<number | null> {
  const { quota, usage } = (await navigator.storage?.estimate?.()) ?? {};
  if (quota === undefined || usage === undefined) return null;
  return toMinutes(quota - Math.max(usage, await countTakeBytes(db)));
}

/** Makes room by dropping what can be fetched again, if there is little. Returns the minutes afterwards. */
export async function makeRoom(db: AccountDb): Promise<number | null> {
  const minutes = await readFreeMinutes(db);
  if (minutes === null || minutes >= LOW_ROOM_MINUTES) return minutes;
  await clearSeenMedia();
  return readFreeMinutes(db);
}
