import { and, arrayContains, desc, eq, isNull, or, sql, type SQL } from 'drizzle-orm';
import { mediaListOf } from '#contract/media-types.ts';
import type { Db } from '#server/platform/db/connect.ts';
import {
  auditionRequests,
  conversations,
  media,
  profiles,
  reports,
  restrictions,
  storedFiles,
} from '#server/platform/db/schema.ts';
import { readsRequest } from '#server/platform/access/projects.ts';
import { getWriteRefusal } from '#server/platform/access/profiles.ts';
import { isWithheldByDesk } from '#server/platform/access/withholding.ts';
import { getRelation, canViewProfile, type ViewerContext } from '#server/platform/access/viewer-role.ts';
import { isOpenRow } from '#server/platform/access/open-conversations.ts';
import { isAtDesk } from '#server/platform/access/desk.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { requireId } from '#server/platform/http/ids.ts';
import type { GuardInput } from '#server/platform/http/route.ts';
import { lockMedia, findMediaByIds, type MediaRow } from './store.ts';

/** Returns the caller's newest profile, or null. */
export async function newestProfileId(db: Db, userId: number): Promise<number | null> {
  const [profile] = await db
    .select({ id: profiles.id })
    .from(profiles)
    .where(eq(profiles.userId, userId))
    .orderBy(desc(profiles.createdAt), desc(profiles.id))
    .limit(1);
  return profile?.id ?? null;
}

type ById = GuardInput<Caller, { id: string }>;

/** Locks a media row for a write. @throws 404 if the caller may not know of it, 403 if it belongs to someone else */
export const lockOwnMedia = (input: ById) => requireOwn(input, (id) => lockMedia(input.db, id));

/** Like `lockOwnMedia`, without locking. */
export const findOwnMedia = (input: ById) =>
  requireOwn(input, async (id) => (await findMediaByIds(input.db, [id]))[0] ?? null);

async function requireOwn(
  { db, caller, params }: ById,
  find: (id: number) => Promise<MediaRow | null>,
): Promise<MediaRow> {
  const row = await find(requireId(params.id, 'medium'));
  if (row === null) throw notFound('media item');
  if (row.userId === caller.userId) return row;
  const noun = mediaListOf(row.mediaType)?.noun ?? 'medium';
  const [profile] = await db.select().from(profiles).where(eq(profiles.id, row.profileId));
  throw await getWriteRefusal(db, profile, caller, noun, () => !row.isHidden);
}

/** Finds a media row that the caller may see: on a visible profile, and not hidden from them. @throws 404 */
export async function findVisibleMedia(db: Db, id: string, caller: ViewerContext): Promise<MediaRow> {
  const [found] = await db
    .select({ row: media, isShown: profiles.isShown })
    .from(media)
    .innerJoin(profiles, eq(profiles.id, media.profileId))
    .where(eq(media.id, requireId(id, 'medium')));
  if (found === undefined) throw notFound('media item');
  const { viewerRole } = await getRelation(db, caller, found.row.userId);
  if (!canViewProfile(viewerRole, found) || (found.row.isHidden && viewerRole !== 'owner'))
    throw notFound('media item');
  return found.row;
}

/** Like `findVisibleMedia`, but locks the row and its profile until the commit. @returns its id @throws 404 */
export async function lockVisibleMedia(db: Db, id: string, caller: Caller): Promise<number> {
  const [held] = await db
    .select({ profileId: media.profileId })
    .from(media)
    .where(eq(media.id, requireId(id, 'medium')))
    .for('share');
  if (held === undefined) throw notFound('media item');
  await db.select({ id: profiles.id }).from(profiles).where(eq(profiles.id, held.profileId)).for('share');
  return (await findVisibleMedia(db, id, caller)).id;
}

/** A condition on requests to audition: the person sends their tapes or reads them. */
const readsTapes = (personId: number): SQL | undefined =>
  or(eq(auditionRequests.performerId, personId), readsRequest(personId));

/** A valid link to a file. */
export interface FileLink {
  /** The link ends as soon as this person may no longer read the file; null: it works for anyone who has it. */
  readerId: number | null;
}

type StoredFile = typeof storedFiles.$inferSelect;

/**
 * Finds a stored file that the caller may fetch: they may see its profile, and its media item if it has one, or it belongs to an
 * open conversation or an audition of theirs, or is among the pages to read of one. Null otherwise.
 * @param link the valid link that the request carries
 */
export async function findVisibleFile(
  db: Db,
  key: string,
  caller: Caller | null,
  link: FileLink | null,
): Promise<StoredFile | null> {
  const readerId = link?.readerId ?? caller?.userId ?? null;
  const [found] = await db
    .select({
      file: storedFiles,
      isShown: profiles.isShown,
      isWithheldByDesk,
      conversation: conversations,
      isOfRequest: sql<boolean>`${auditionRequests.id} is not null`,
      isOfReader: readerId === null ? sql<boolean>`false` : sql<boolean>`coalesce(${readsTapes(readerId)}, false)`,
    })
    .from(storedFiles)
    .leftJoin(conversations, eq(conversations.id, storedFiles.conversationId))
    .leftJoin(auditionRequests, eq(auditionRequests.id, storedFiles.requestId))
    // What somebody sends for an audition is withheld like the profile by which they were asked.
    .leftJoin(profiles, sql`${profiles.id} = coalesce(${storedFiles.profileId}, ${auditionRequests.profileId})`)
    .where(eq(storedFiles.key, key));
  if (found === undefined) return null;
  if (found.file.userId !== caller?.userId) {
    if (await isEvidenceFor(db, caller, key)) return found.file;
    if (found.isWithheldByDesk || (await isRestricted(db, key))) return null;
  }
  if (link?.readerId === null) return found.file;
  if (found.conversation) {
    const { firstId, secondId } = found.conversation;
    const isOfOpenConversation = caller !== null && [firstId, secondId].includes(caller.userId);
    return isOfOpenConversation && isOpenRow(found.conversation) ? found.file : null;
  }
  if (found.isOfRequest) return found.isOfReader ? found.file : null;
  if (found.file.sidesId !== null) {
    const isReader = readerId !== null && (await mayReadSides(db, readerId, found.file));
    return isReader ? found.file : null;
  }
  if (found.isShown === null) throw new Error(`Stored file ${key} belongs to nothing`);
  const { viewerRole } = await getRelation(db, caller, found.file.userId);
  if (!canViewProfile(viewerRole, { isShown: found.isShown })) return null;
  return viewerRole !== 'owner' && (await isOfHiddenMedia(db, found.file)) ? null : found.file;
}

/** Whether these pages to read are the person's own, or belong to a request that was sent to them or that they read as a colleague. */
async function mayReadSides(db: Db, personId: number, { key, userId }: StoredFile): Promise<boolean> {
  if (personId === userId) return true;
  const { id, userId: ownerId, sides } = auditionRequests;
  const named = JSON.stringify([{ file_key: key }]);
  const found = await db
    .select({ id })
    .from(auditionRequests)
    .where(and(eq(ownerId, userId), sql`${sides} @> ${named}::jsonb`, readsTapes(personId)))
    .limit(1);
  return found.length > 0;
}

/** Whether the desk has hidden what the file belongs to. */
async function isRestricted(db: Db, key: string): Promise<boolean> {
  const found = await db
    .select({ id: restrictions.id })
    .from(restrictions)
    .where(and(isNull(restrictions.liftedAt), arrayContains(restrictions.fileKeys, [key])))
    .limit(1);
  return found.length > 0;
}

/** Whether the caller works at the desk and somebody reported this file. */
async function isEvidenceFor(db: Db, caller: Caller | null, key: string): Promise<boolean> {
  if (caller === null || !isAtDesk(caller)) return false;
  const found = await db
    .select({ id: reports.id })
    .from(reports)
    .where(sql`${reports.evidence} -> 'file' ->> 'key' = ${key}`)
    .limit(1);
  return found.length > 0;
}

/** Whether a file, or a smaller copy, belongs to a hidden media item. */
async function isOfHiddenMedia(db: Db, { key, profileId }: StoredFile): Promise<boolean> {
  if (profileId === null) return false;
  const copy = JSON.stringify([{ key }]);
  const hidden = await db
    .select({ id: media.id })
    .from(media)
    .where(
      and(
        eq(media.profileId, profileId),
        eq(media.isHidden, true),
        or(eq(media.fileKey, key), eq(media.thumbKey, key), sql`${media.renditions} @> ${copy}::jsonb`),
      ),
    )
    .limit(1);
  return hidden.length > 0;
}
