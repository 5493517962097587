import { and, asc, desc, eq, gte, inArray, sql } from 'drizzle-orm';
import { PROJECT_TYPES, type LookupItem, type Media, type PhotoFields } from '#contract/records/media.ts';
import type { Db } from '#server/db/connect.ts';
import { media, storedFiles } from '#server/db/schema.ts';
import { storagePath } from '#server/storage/storage.ts';
import type { KeptFile, KeptPhoto } from './keep.ts';

export type MediaRow = typeof media.$inferSelect;

/** The thumbnail of lists: the middle copy, in the format every browser reads. */
const THUMB = { width: 480, type: 'image/webp' };

export const projectTypes: readonly LookupItem[] = PROJECT_TYPES.map((name, index) => ({
  id: String(index + 1),
  name,
}));

/** The record as the wire has it. Nobody saves media yet, so `is_saved` is 0. */
export function presentMedia(row: MediaRow): Media {
  return {
    id: String(row.id),
    profile_id: String(row.profileId),
    media_type: row.mediaType,
    file_path: row.fileKey,
    path: row.fileKey === null ? '' : storagePath(row.fileKey),
    name: row.name,
    format: row.format,
    size: row.sizeBytes,
    duration: row.durationSeconds,
    width: row.width,
    height: row.height,
    thumb_path: row.thumbKey === null ? null : storagePath(row.thumbKey),
    renditions: row.renditions.map(({ key, width, type }) => ({ path: storagePath(key), width, type })),
    peaks: null,
    position: row.position,
    is_hidden: row.isHidden,
    is_primary: row.isPrimary,
    version: row.version,
    client_id: row.clientId,
    is_saved: 0,
    metadata: row.metadata,
    created_at: row.createdAt.toISOString(),
  };
}

/** Every file a record keeps in the store. */
export function keysOf(row: MediaRow): string[] {
  return [row.fileKey, row.thumbKey, ...row.renditions.map(({ key }) => key)].filter((key) => key !== null);
}

/** Names, not ids: what a viewer reads. */
function metadataOf(fields: PhotoFields): Media['metadata'] {
  const projectType = projectTypes.find(({ id }) => id === fields.project_type)?.name;
  const keywords = fields.keywords
    ?.split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .join(', ');
  return Object.entries({ project_type: projectType, category_type: fields.category_type, keywords }).flatMap(
    ([key, value]) => (value ? [{ key, value }] : []),
  );
}

interface Owner {
  userId: number;
  profileId: number;
}

/** Notes files that are in the store already, so that they are served and kept. */
export async function recordFiles(tx: Db, owner: Owner, files: readonly KeptFile[], now: Date): Promise<void> {
  await tx
    .insert(storedFiles)
    .values(files.map(({ key, type, sizeBytes }) => ({ key, type, sizeBytes, ...owner, createdAt: now })));
}

export async function forgetFiles(tx: Db, keys: readonly string[]): Promise<void> {
  for (const key of keys) await tx.delete(storedFiles).where(eq(storedFiles.key, key));
}

/** The photos of one submission, in the order they were sent. */
export async function insertPhotos(
  tx: Db,
  owner: Owner,
  fields: PhotoFields,
  photos: readonly KeptPhoto[],
  now: Date,
): Promise<MediaRow[]> {
  await recordFiles(
    tx,
    owner,
    photos.flatMap(({ original, copies }) => [original, ...copies]),
    now,
  );
  const rows = photos.map(({ original, copies }, index) => ({
    ...owner,
    mediaType: 'image',
    fileKey: original.key,
    thumbKey: (copies.find(({ type, width }) => type === THUMB.type && width >= THUMB.width) ?? copies.at(-1))?.key,
    renditions: copies.map(({ key, width, type }) => ({ key, width, type })),
    name: fields.name,
    format: original.extension,
    sizeBytes: original.sizeBytes,
    sha256: original.sha256,
    width: original.width,
    height: original.height,
    metadata: metadataOf(fields),
    clientId: fields.client_id ?? null,
    clientPart: index,
    createdAt: now,
    updatedAt: now,
  }));
  const inserted = await tx.insert(media).values(rows).returning();
  return inserted.sort((a, b) => a.clientPart - b.clientPart);
}

/** What this person submitted under that client_id, in order. */
export async function submission(db: Db, userId: number, clientId: string): Promise<MediaRow[]> {
  return db
    .select()
    .from(media)
    .where(and(eq(media.userId, userId), eq(media.clientId, clientId)))
    .orderBy(asc(media.clientPart));
}

/** Photos of a profile in the owner's order, else newest first; hidden ones for their owner alone. */
export async function photosOf(
  db: Db,
  profileId: number,
  options: { since: Date | null; withHidden: boolean },
): Promise<MediaRow[]> {
  return db
    .select()
    .from(media)
    .where(
      and(
        eq(media.profileId, profileId),
        eq(media.mediaType, 'image'),
        options.since === null ? undefined : gte(media.createdAt, options.since),
        options.withHidden ? undefined : eq(media.isHidden, false),
      ),
    )
    .orderBy(sql`${media.position} asc nulls first`, desc(media.createdAt), desc(media.id));
}

/** One record, held until the commit. */
export async function lockMedia(tx: Db, id: number): Promise<MediaRow | null> {
  const [row] = await tx.select().from(media).where(eq(media.id, id)).for('update');
  return row ?? null;
}

/** Records by id, for the sync feed. */
export async function mediaByIds(db: Db, ids: number[]): Promise<MediaRow[]> {
  return ids.length === 0 ? [] : db.select().from(media).where(inArray(media.id, ids));
}

export async function deleteMedia(tx: Db, row: MediaRow): Promise<void> {
  await tx.delete(media).where(eq(media.id, row.id));
  await forgetFiles(tx, keysOf(row));
}
