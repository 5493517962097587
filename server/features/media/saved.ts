import { and, desc, eq, inArray, lt, or } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CALLS } from '#contract/calls.ts';
import { mediaCard, type MediaCard } from '#contract/records/media.ts';
import { getRelations, canViewProfile } from '#server/platform/access/viewer-role.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { media, profiles, profileTypes, savedMedia, users } from '#server/platform/db/schema.ts';
import { registerSaveRoutes } from '#server/platform/http/save-routes.ts';
import { ok } from '#server/platform/http/response.ts';
import { encodeCursor, pageQuery, decodeCursor } from '#server/platform/http/paging.ts';
import { requiredAccount, readRoute } from '#server/platform/http/route.ts';
import { lockVisibleMedia, findVisibleMedia } from './access.ts';
import { presentMedia } from './store.ts';

type SavedRow = typeof savedMedia.$inferSelect;

/** Presents saved media as cards, in the given order; omits media that the caller may not see now. */
async function presentSavedMedia(db: Db, userId: number, saved: readonly SavedRow[]): Promise<MediaCard[]> {
  if (saved.length === 0) return [];
  const ids = saved.map(({ mediaId }) => mediaId);
  const found = await db
    .select({ row: media, isShown: profiles.isShown, type: profileTypes.slug, name: users.name, slug: users.slug })
    .from(media)
    .innerJoin(profiles, eq(profiles.id, media.profileId))
    .innerJoin(profileTypes, eq(profileTypes.id, profiles.profileTypeId))
    .innerJoin(users, eq(users.id, media.userId))
    .where(inArray(media.id, ids));
  const relations = await getRelations(
    db,
    { userId },
    found.map(({ row }) => row.userId),
  );
  const cards = new Map<number, Omit<MediaCard, 'saved_at'>>();
  for (const { row, isShown, type, name, slug } of found) {
    const viewerRole = relations.get(row.userId)?.viewerRole ?? 'blocked';
    if (!canViewProfile(viewerRole, { isShown }) || (row.isHidden && viewerRole !== 'owner')) continue;
    const owner = {
      user_id: String(row.userId),
      name,
      slug: isShown ? slug : null,
      profile_type: isShown ? type : null,
    };
    cards.set(row.id, { ...presentMedia(row, true), owner });
  }
  return saved.flatMap(({ mediaId, createdAt }) => {
    const card = cards.get(mediaId);
    return card ? [{ ...card, saved_at: createdAt.toISOString() }] : [];
  });
}

const place = z.object({ at: z.iso.datetime(), id: z.int() });

function listRoute(app: FastifyInstance): void {
  readRoute(app, {
    endpoint: CALLS.savedMedia,
    summary: 'The caller’s saved media, latest first; paged',
    access: requiredAccount(),
    query: pageQuery,
    responses: { 200: z.array(mediaCard) },
    handler: async ({ caller, db, request, query }) => {
      const after = await decodeCursor(place, query.cursor, { db, request });
      const at = after && new Date(after.at);
      const page = await db
        .select()
        .from(savedMedia)
        .where(
          and(
            eq(savedMedia.userId, caller.userId),
            after && at
              ? or(lt(savedMedia.createdAt, at), and(eq(savedMedia.createdAt, at), lt(savedMedia.mediaId, after.id)))
              : undefined,
          ),
        )
        .orderBy(desc(savedMedia.createdAt), desc(savedMedia.mediaId))
        .limit(query.limit);
      const last = page.length === query.limit ? page.at(-1) : undefined;
      const next = last && { at: last.createdAt.toISOString(), id: last.mediaId };
      const cards = await presentSavedMedia(db, caller.userId, page);
      return ok(cards, next && { 'x-next-cursor': await encodeCursor({ db, request }, next) });
    },
  });
}

/** Saved media. Items that are hidden, or whose profile is inactive, stay saved but are not listed. */
export function savedMediaRoutes(app: FastifyInstance): void {
  app.mirror.set('saved_media', async (db, ids, userId) => {
    const mine = and(eq(savedMedia.userId, userId), inArray(savedMedia.mediaId, ids.map(Number)));
    return presentSavedMedia(db, userId, await db.select().from(savedMedia).where(mine));
  });

  listRoute(app);
  registerSaveRoutes(app, {
    type: 'saved_media',
    noun: 'medium',
    save: CALLS.saveMedia,
    unsave: CALLS.unsaveMedia,
    param: 'id',
    lockVisible: lockVisibleMedia,
    requireVisible: findVisibleMedia,
    add: async (db, userId, mediaId, createdAt) =>
      (await db.insert(savedMedia).values({ userId, mediaId, createdAt }).onConflictDoNothing().returning()).length > 0,
    remove: async (db, userId, mediaId) =>
      (
        await db
          .delete(savedMedia)
          .where(and(eq(savedMedia.userId, userId), eq(savedMedia.mediaId, mediaId)))
          .returning()
      ).length > 0,
    // The owner's own media record contains is_saved, so it changes too.
    onChange: async (db, changes, { caller: { userId }, id }) => {
      const [own] = await db
        .select({ profileId: media.profileId })
        .from(media)
        .where(and(eq(media.id, id), eq(media.userId, userId)));
      if (own) changes.recordChange(userId, 'media', String(id), String(own.profileId));
    },
  });
}
