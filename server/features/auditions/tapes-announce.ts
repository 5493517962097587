import { randomUUID } from 'node:crypto';
import { computeFinished } from '#contract/casting/finished.ts';
import { isDeclined } from '#contract/casting/state.ts';
import { TAPE_LIMITS, type AnnounceBody } from '#contract/records/tapes.ts';
import type { Config } from '#server/platform/config.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { auditionTapes, type StoredCv, type StoredTake } from '#server/platform/db/schema.ts';
import { conflictWith, unprocessable } from '#server/platform/http/errors.ts';
import { changeRequest, getPart, type RequestRow } from '../casting/rows.ts';
import { presentShared } from '../casting/shared-record.ts';
import { listTapesOf, presentOwnTape, recordTape, type TapeRow } from '../casting/tape-rows.ts';
import { markRead } from '../notifications/store.ts';
import { presentAudition } from './present.ts';
import { keepPictures, type Pictures } from './take-pictures.ts';

/**
 * Finds why a tape is not wanted; null if it is. A tape that lay ready on the device while the role was open is wanted also afterwards: its
 * performer could not know.
 */
async function findObstacle(tx: Db, row: RequestRow, finishedAt: Date): Promise<string | null> {
  if (row.withdrawnAt !== null) return 'This request was withdrawn';
  if (isDeclined(presentShared(row))) return 'You declined. Say yes first, then send your tape';
  const { role } = await getPart(tx, row.roleId);
  const wasOpen = role.status === 'open' || (role.endedAt !== null && finishedAt <= role.endedAt);
  return wasOpen ? null : 'This role is no longer open';
}

/** A take as it is announced. Its id is the server's, since the other side sees it and must not learn the name of the upload. */
const toStoredTake = (take: AnnounceBody['takes'][number], pictures: Pictures): StoredTake => ({
  id: randomUUID(),
  upload_id: take.upload_id,
  name: take.name,
  label: take.label ?? null,
  duration: take.duration ?? null,
  width: take.width ?? null,
  height: take.height ?? null,
  size: take.size,
  file_key: null,
  poster_key: pictures.get(take.upload_id)?.poster?.key ?? null,
  strip_key: pictures.get(take.upload_id)?.strip?.key ?? null,
});

/** The CV as it is announced. Its pages are counted when it has come. */
const toStoredCv = ({ upload_id, name, size }: NonNullable<AnnounceBody['cv']>): StoredCv => ({
  upload_id,
  name,
  size,
  pages: null,
  file_key: null,
});

interface Announcement {
  body: AnnounceBody;
  /** The time of the device when it sent this; null if unknown. */
  sentDevice: number | null;
  now: Date;
  config: Pick<Config, 'maxStorageBytes'>;
  /** The pictures of its takes, already stored. */
  pictures: Pictures;
}

/**
 * Adds a tape to a locked request, whose bytes are still on their way. When it was finished is decided here, once.
 * @throws 409 with what stands in the way: the audition that takes no tape, or the tape that cannot be replaced after the deadline; 422 if there
 * are too many
 */
export async function announce(
  tx: Db,
  changes: ChangeLog,
  row: RequestRow,
  { body, sentDevice, now, config, pictures }: Announcement,
): Promise<TapeRow> {
  const finished = computeFinished({
    finishedDevice: Date.parse(body.finished_device),
    offset: body.clock_offset ?? null,
    offsetAge: body.clock_age ?? null,
    sentDevice,
    now: now.getTime(),
    askedAt: row.askedAt.getTime(),
  });
  const finishedAt = new Date(finished.at);
  const obstacle = await findObstacle(tx, row, finishedAt);
  if (obstacle !== null) throw conflictWith(obstacle, await presentAudition(tx, row));
  const earlier = await listTapesOf(tx, row.id);
  const standing = earlier.findLast(({ state }) => state === 'arrived');
  if (standing !== undefined && finishedAt > row.deadlineAt) {
    throw conflictWith('The deadline has passed, and your tape has arrived', presentOwnTape(standing));
  }
  if (earlier.length >= TAPE_LIMITS.versions) {
    throw unprocessable(`You can send up to ${TAPE_LIMITS.versions} tapes for one audition`);
  }
  const kept = await keepPictures(tx, config, row, pictures, now);
  const [added] = await tx
    .insert(auditionTapes)
    .values({
      requestId: row.id,
      userId: row.performerId!,
      number: (earlier.at(-1)?.number ?? 0) + 1,
      takes: body.takes.map((take) => toStoredTake(take, kept)),
      cv: body.cv ? toStoredCv(body.cv) : null,
      note: body.note ?? null,
      noLinks: body.no_links,
      finishedAt,
      finishedBy: finished.by,
      announcedAt: now,
      clientId: body.client_id ?? null,
      updatedAt: now,
    })
    .returning();
  if (row.announcedAt === null) await changeRequest(tx, changes, row, { announcedAt: now }, now);
  await markRead(tx, changes, row.performerId!, { about: { type: 'audition.reminder', subjectId: row.id } }, now);
  await recordTape(tx, changes, added!, row);
  return added!;
}
