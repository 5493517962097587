import { and, asc, desc, eq, gte, inArray, ne, sql } from 'drizzle-orm';
import { mediaListOf, type MediaType } from '#contract/media-types.ts';
import type { Media } from '#contract/records/media.ts';
import { youtubePage } from '#contract/youtube.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { media, savedMedia, storedFiles } from '#server/platform/db/schema.ts';
import type { ViewerContext } from '#server/platform/access/viewer-role.ts';
import { storagePath } from '#server/platform/storage/storage.ts';
import type { StoredNewFile, StoredNewMedia } from './file-store.ts';
import type { PreparedSubmission } from './prepared.ts';

export type MediaRow = typeof media.$inferSelect;

/** Width of the list thumbnail, in a format that every browser supports. */
const THUMB = { width: 480, type: 'image/webp' };

/** Presents a media row. @param isSaved whether the viewer has saved it */
export function presentMedia(row: MediaRow, isSaved: boolean): Media {
  return {
    id: String(row.id),
    profile_id: String(row.profileId),
    media_type: row.mediaType,
    file_path: row.fileKey,
    path: pathOf(row),
    name: row.name,
    format: row.format,
    size: row.sizeBytes,
    duration: row.durationSeconds,
    width: row.width,
    height: row.height,
    thumb_path: row.thumbKey === null ? null : storagePath(row.thumbKey),
    renditions: row.renditions.map(({ key, width, type }) => ({ path: storagePath(key), width, type })),
    peaks: row.peaks,
    position: row.position,
    is_hidden: row.isHidden,
    is_primary: row.isPrimary,
    version: row.version,
    client_id: row.clientId,
    is_saved: isSaved ? 1 : 0,
    metadata: row.metadata,
    created_at: row.createdAt.toISOString(),
  };
}

function pathOf({ fileKey, youtubeId }: MediaRow): string {
  if (youtubeId !== null) return youtubePage(youtubeId);
  return fileKey === null ? '' : storagePath(fileKey);
}

/** Presents media rows to a viewer. @param caller the viewer; when viewing as someone else, nothing counts as saved */
export async function presentMediaFor(db: Db, caller: ViewerContext, rows: readonly MediaRow[]): Promise<Media[]> {
  const reader = caller?.viewAs ? null : (caller?.userId ?? null);
  const saved = await findSavedIds(
    db,
    reader,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => presentMedia(row, saved.has(row.id)));
}

/** Returns which of these media the viewer has saved. */
async function findSavedIds(db: Db, userId: number | null, ids: readonly number[]): Promise<Set<number>> {
  if (userId === null || ids.length === 0) return new Set();
  const rows = await db
    .select({ id: savedMedia.mediaId })
    .from(savedMedia)
    .where(and(eq(savedMedia.userId, userId), inArray(savedMedia.mediaId, [...ids])));
  return new Set(rows.map(({ id }) => id));
}

/** Returns the storage keys of a media row. */
export function getStorageKeys(row: MediaRow): string[] {
  return [row.fileKey, row.thumbKey, ...row.renditions.map(({ key }) => key)].filter((key) => key !== null);
}

interface Owner {
  userId: number;
  profileId: number;
}

/** Records files that are already in storage, so that they are served and not swept. */
export async function recordFiles(
  tx: Db,
  owner: Owner | ({ userId: number } & ({ conversationId: number } | { requestId: number } | { sidesId: number })),
  files: readonly StoredNewFile[],
  now: Date,
): Promise<void> {
  await tx
    .insert(storedFiles)
    .values(files.map(({ key, type, sizeBytes }) => ({ key, type, sizeBytes, ...owner, createdAt: now })));
}

export async function forgetFiles(tx: Db, keys: readonly string[]): Promise<void> {
  for (const key of keys) await tx.delete(storedFiles).where(eq(storedFiles.key, key));
}

const thumbOf = (pictures: readonly StoredNewFile[]): string | null =>
  (pictures.find(({ type, width }) => type === THUMB.type && (width ?? 0) >= THUMB.width) ?? pictures.at(-1))?.key ??
  null;

/** Returns the columns that describe the file. */
export function toFileColumns(
  { original, copies, durationSeconds }: StoredNewMedia,
  poster: readonly StoredNewFile[] = [],
) {
  const pictures = copies.length > 0 ? copies : poster;
  return {
    fileKey: original.key,
    thumbKey: thumbOf(pictures),
    renditions: pictures.map(({ key, width, type }) => ({ key, width: width ?? 0, type })),
    format: original.extension,
    sizeBytes: original.sizeBytes,
    sha256: original.sha256,
    width: original.width,
    height: original.height,
    durationSeconds,
  };
}

/** The poster applies only to a submission of a single video: for several it would show the wrong one and be deleted with the first. */
const posterOf = ({ items, poster }: PreparedSubmission) => (items.length === 1 ? poster : []);

/** Returns every file of a submission. */
export const listFiles = (sent: PreparedSubmission): StoredNewFile[] => [
  ...sent.items.flatMap(({ original, copies }) => [original, ...copies]),
  ...posterOf(sent),
];

/** Inserts the items of a submission, in the order sent. */
export async function insertMedia(tx: Db, owner: Owner, prepared: PreparedSubmission, now: Date): Promise<MediaRow[]> {
  const { submission: sent, items } = prepared;
  const files = listFiles(prepared);
  if (files.length > 0) await recordFiles(tx, owner, files, now);
  const poster = posterOf(prepared);
  const shared = {
    ...owner,
    name: sent.name,
    metadata: sent.metadata,
    peaks: sent.peaks,
    clientId: sent.clientId,
    createdAt: now,
    updatedAt: now,
  };
  // Duration and peaks measured by the device describe one file, so they are ignored for several.
  const deviceFacts = items.length === 1 ? sent.durationSeconds : null;
  const rows =
    sent.youtubeId !== null
      ? [{ ...shared, mediaType: 'youtube', youtubeId: sent.youtubeId }]
      : items.map((item, clientPart) => ({
          ...shared,
          ...toFileColumns({ ...item, durationSeconds: item.durationSeconds ?? deviceFacts }, poster),
          mediaType: sent.kind.key,
          clientPart,
        }));
  const inserted = await tx.insert(media).values(rows).returning();
  return inserted.sort((a, b) => a.clientPart - b.clientPart);
}

/** Finds what this person submitted under a client_id, in order. */
export async function findSubmission(db: Db, userId: number, clientId: string): Promise<MediaRow[]> {
  return db
    .select()
    .from(media)
    .where(and(eq(media.userId, userId), eq(media.clientId, clientId)))
    .orderBy(asc(media.clientPart));
}

/**
 * Lists a profile's media in the owner's order, otherwise newest first; only the owner sees hidden items.
 * @param kind null for every kind
 */
export async function listMedia(
  db: Db,
  profileId: number,
  kind: MediaType | null,
  options: { since: Date | null; withHidden: boolean },
): Promise<MediaRow[]> {
  return db
    .select()
    .from(media)
    .where(
      and(
        eq(media.profileId, profileId),
        kind === null ? undefined : inArray(media.mediaType, [...(mediaListOf(kind)?.types ?? [])]),
        options.since === null ? undefined : gte(media.createdAt, options.since),
        options.withHidden ? undefined : eq(media.isHidden, false),
      ),
    )
    .orderBy(sql`${media.position} asc nulls first`, desc(media.createdAt), desc(media.id));
}

/** Locks a media row until the commit. */
export async function lockMedia(tx: Db, id: number): Promise<MediaRow | null> {
  const [row] = await tx.select().from(media).where(eq(media.id, id)).for('update');
  return row ?? null;
}

/** Loads media by id, for the sync feed. */
export async function findMediaByIds(db: Db, ids: number[]): Promise<MediaRow[]> {
  return ids.length === 0 ? [] : db.select().from(media).where(inArray(media.id, ids));
}

type MediaChange = Partial<Pick<MediaRow, 'name' | 'metadata' | 'position' | 'isHidden' | 'isPrimary'>>;

/** Updates a locked media row and returns the new row. */
export async function changeMedia(tx: Db, row: MediaRow, change: MediaChange, now: Date): Promise<MediaRow> {
  const [changed] = await tx
    .update(media)
    .set({ ...change, version: row.version + 1, updatedAt: now })
    .where(eq(media.id, row.id))
    .returning();
  if (changed === undefined) throw new Error('A held record is gone');
  return changed;
}

/** Unsets the primary flag on the profile's other media. @returns the rows that had it */
export async function unsetPrimary(tx: Db, row: MediaRow, now: Date): Promise<MediaRow[]> {
  return tx
    .update(media)
    .set({ isPrimary: false, version: sql`${media.version} + 1`, updatedAt: now })
    .where(and(eq(media.profileId, row.profileId), eq(media.isPrimary, true), ne(media.id, row.id)))
    .returning();
}

export async function deleteMedia(tx: Db, row: MediaRow): Promise<void> {
  await tx.delete(media).where(eq(media.id, row.id));
  await forgetFiles(tx, getStorageKeys(row));
}
