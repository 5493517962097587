import { eq, sql } from 'drizzle-orm';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { castingLinkOpenings, castingLinks, castingLinkViewings } from '#server/platform/db/schema.ts';
import { changeLink } from '../casting/link-rows.ts';
import { lockRequest } from '../casting/rows.ts';
import { markWatched, WATCHED_SECONDS } from '../casting/viewing.ts';
import { noSuchLink } from './refusal.ts';
import type { Watching } from './session.ts';
import { listSharedTapes } from './shared-tapes.ts';

/** Adds to the time that a tape was watched by a link. @returns all of it, in seconds */
async function addToTape(tx: Db, linkId: number, tapeId: number, seconds: number): Promise<number> {
  const [row] = await tx
    .insert(castingLinkViewings)
    .values({ linkId, tapeId, seconds })
    .onConflictDoUpdate({
      target: [castingLinkViewings.linkId, castingLinkViewings.tapeId],
      set: { seconds: sql`${castingLinkViewings.seconds} + ${seconds}` },
    })
    .returning({ seconds: castingLinkViewings.seconds });
  return row!.seconds;
}

/** Adds to the time of an opening. Nobody can have watched for longer than since then. @returns before and after, in seconds */
async function addToOpening(tx: Db, { id, openedAt }: Watching['opening'], seconds: number, now: Date) {
  const [opening] = await tx.select().from(castingLinkOpenings).where(eq(castingLinkOpenings.id, id)).for('update');
  const before = opening?.seconds ?? 0;
  const most = (now.getTime() - openedAt.getTime()) / 1000;
  const after = Math.max(before, Math.min(before + seconds, most));
  await tx.update(castingLinkOpenings).set({ seconds: after }).where(eq(castingLinkOpenings.id, id));
  return { before, after };
}

/** Notes that a take was played in view. The performer learns of the first time, like from any viewing. @throws 404 */
export async function addViewing(
  tx: Db,
  changes: ChangeLog,
  { link, opening }: Watching,
  { take_id: takeId, seconds }: { take_id: string; seconds: number },
  now: Date,
): Promise<void> {
  const [shared] = await listSharedTapes(tx, link, takeId);
  const request = shared && (await lockRequest(tx, shared.tape.requestId));
  if (!request) throw noSuchLink();
  const ofTape = await addToTape(tx, link.id, shared.tape.id, seconds);
  const { before, after } = await addToOpening(tx, opening, seconds, now);
  // The owner reads whole minutes, so their devices are not told of each report.
  if (Math.floor(before / 60) < Math.floor(after / 60) || before === 0) {
    const [row] = await tx.select().from(castingLinks).where(eq(castingLinks.id, link.id)).for('no key update');
    if (row !== undefined) await changeLink(tx, changes, row, {}, now);
  }
  if (ofTape >= WATCHED_SECONDS) await markWatched(tx, changes, request, now);
}
