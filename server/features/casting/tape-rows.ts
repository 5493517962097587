import { and, asc, eq, inArray, or, type SQL } from 'drizzle-orm';
import type { Tape } from '#contract/records/tapes.ts';
import { lockColleaguesOfRequest } from '#server/platform/access/projects.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import {
  auditionRequests,
  auditionTapes,
  storedFiles,
  tapeMarks,
  type StoredCv,
  type StoredTake,
} from '#server/platform/db/schema.ts';
import { removeFilesLater } from '#server/platform/storage/remove-files.ts';
import { storagePath } from '#server/platform/storage/storage.ts';

export type TapeRow = typeof auditionTapes.$inferSelect;

const presentTake = ({
  upload_id: _upload,
  file_key,
  poster_key,
  strip_key,
  ...take
}: StoredTake): Tape['takes'][number] => ({
  ...take,
  path: file_key === null ? null : storagePath(file_key),
  poster_path: poster_key ? storagePath(poster_key) : null,
  strip_path: strip_key ? storagePath(strip_key) : null,
});

const presentCv = ({ name, pages, size, file_key }: StoredCv): Tape['cv'] => ({
  name,
  pages,
  size,
  path: file_key === null ? null : storagePath(file_key),
});

/** Presents a tape to the side that casts. */
export const presentTape = (row: TapeRow): Tape => ({
  id: String(row.id),
  request_id: String(row.requestId),
  client_id: null,
  number: row.number,
  takes: row.takes.map(presentTake),
  cv: row.cv && presentCv(row.cv),
  note: row.note,
  no_links: row.noLinks,
  finished_at: row.finishedAt.toISOString(),
  finished_by: row.finishedBy,
  announced_at: row.announcedAt.toISOString(),
  arrived_at: row.arrivedAt?.toISOString() ?? null,
  state: row.state,
  reason: row.reason,
  version: row.version,
  created_at: row.announcedAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

/** Presents a tape to the performer who sent it. */
export const presentOwnTape = (row: TapeRow): Tape => ({ ...presentTape(row), client_id: row.clientId });

/** The keys of the stored files of a tape. */
export const getTapeKeys = ({ takes, cv }: Pick<TapeRow, 'takes' | 'cv'>): string[] => [
  ...takes.flatMap(({ file_key, poster_key, strip_key }) => [file_key ?? [], poster_key ?? [], strip_key ?? []].flat()),
  ...(cv?.file_key ? [cv.file_key] : []),
];

/** What is left of a tape whose files are deleted. */
export const withoutFiles = ({ takes, cv }: Pick<TapeRow, 'takes' | 'cv'>): Pick<TapeRow, 'takes' | 'cv'> => ({
  takes: takes.map((take) => ({ ...take, file_key: null, poster_key: null, strip_key: null })),
  cv: cv && { ...cv, file_key: null },
});

/** The tapes of a request, oldest first. */
export const listTapesOf = (db: Db, requestId: number): Promise<TapeRow[]> =>
  db.select().from(auditionTapes).where(eq(auditionTapes.requestId, requestId)).orderBy(asc(auditionTapes.number));

/** The tapes that match, oldest first: all, or those with these ids. @param whose may also ask for columns of their requests */
export async function listTapes(db: Db, whose: SQL | undefined, ids?: number[]): Promise<TapeRow[]> {
  const rows = await db
    .select({ tape: auditionTapes })
    .from(auditionTapes)
    .innerJoin(auditionRequests, eq(auditionRequests.id, auditionTapes.requestId))
    .where(and(whose, ids && inArray(auditionTapes.id, ids)))
    .orderBy(asc(auditionTapes.id));
  return rows.map(({ tape }) => tape);
}

export async function findTape(db: Db, id: number): Promise<TapeRow | null> {
  const [row] = await db.select().from(auditionTapes).where(eq(auditionTapes.id, id));
  return row ?? null;
}

/** Finds the tape that this person announced under a client id. */
export async function findTapeByClientId(db: Db, userId: number, clientId: string): Promise<TapeRow | null> {
  const [found] = await db
    .select()
    .from(auditionTapes)
    .where(and(eq(auditionTapes.userId, userId), eq(auditionTapes.clientId, clientId)));
  return found ?? null;
}

/** The request of a tape. */
type Asked = Pick<typeof auditionRequests.$inferSelect, 'userId' | 'roleId' | 'performerId'>;

/** Records a tape for both sides. */
export async function recordTape(tx: Db, changes: ChangeLog, tape: TapeRow, request: Asked): Promise<void> {
  const { id, userId, requestId } = tape;
  for (const person of [userId, request.userId, ...(await lockColleaguesOfRequest(tx, request))]) {
    changes.recordChange(person, 'tape', String(id), String(requestId));
  }
}

/** Writes a tape whose request is locked, and records it for both sides. */
export async function changeTape(
  tx: Db,
  changes: ChangeLog,
  row: TapeRow,
  values: Partial<TapeRow>,
  { request, now }: { request: Asked; now: Date },
): Promise<TapeRow> {
  const next = { ...values, version: row.version + 1, updatedAt: now };
  await tx.update(auditionTapes).set(next).where(eq(auditionTapes.id, row.id));
  const changed = { ...row, ...next };
  await recordTape(tx, changes, changed, request);
  return changed;
}

/** Deletes the tapes of locked requests with their files, and what the side that casts wrote about them. */
export async function removeTapes(tx: Db, changes: ChangeLog, requestIds: readonly number[]): Promise<void> {
  const ids = [...requestIds];
  const files = await tx
    .delete(storedFiles)
    .where(inArray(storedFiles.requestId, ids))
    .returning({ key: storedFiles.key });
  await removeFilesLater(
    tx,
    files.map(({ key }) => key),
  );
  await recordGone(tx, changes, inArray(auditionTapes.requestId, ids));
  await tx.delete(auditionTapes).where(inArray(auditionTapes.requestId, ids));
}

/** Records that tapes are gone, and what the side that casts wrote about them. */
async function recordGone(tx: Db, changes: ChangeLog, which: SQL | undefined, exceptId?: number): Promise<void> {
  const tapes = await tx
    .select({ tape: auditionTapes, request: auditionRequests })
    .from(auditionTapes)
    .innerJoin(auditionRequests, eq(auditionRequests.id, auditionTapes.requestId))
    .where(which);
  const ids = tapes.map(({ tape }) => tape.id);
  const marks = await tx
    .select({ id: tapeMarks.id, tapeId: tapeMarks.tapeId })
    .from(tapeMarks)
    .where(inArray(tapeMarks.tapeId, ids));
  for (const { tape, request } of tapes) {
    // With an owner go their projects, which is recorded for colleagues elsewhere.
    const casting =
      request.userId === exceptId ? [] : [request.userId, ...(await lockColleaguesOfRequest(tx, request))];
    for (const person of casting) {
      changes.recordDeletion(person, 'tape', String(tape.id), String(request.id));
      for (const { id, tapeId } of marks) {
        if (tapeId === tape.id) changes.recordDeletion(person, 'mark', String(id), String(tapeId));
      }
    }
    if (tape.userId !== exceptId) changes.recordDeletion(tape.userId, 'tape', String(tape.id), String(request.id));
  }
}

/** Records for others that the tapes that a person sent or was sent are deleted with their account. */
export const recordTapesRemoved = (tx: Db, changes: ChangeLog, personId: number): Promise<void> =>
  recordGone(tx, changes, or(eq(auditionTapes.userId, personId), eq(auditionRequests.userId, personId)), personId);
