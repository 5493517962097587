import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CALLS } from '#contract/calls.ts';
import { profilePage } from '#contract/records/page.ts';
import { requireVisible } from '#server/platform/access/profiles.ts';
import { listMedia, presentMediaFor } from '#server/features/media/store.ts';
import {
  presentSibling,
  presentProfilesFor as presentProfiles,
  findProfileBySlugs,
  listProfilesOfUser,
} from '#server/features/profile/store.ts';
import { presentSections } from '#server/features/sections/read.ts';
import { ok } from '#server/platform/http/response.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { readRoute, optionalAccount } from '#server/platform/http/route.ts';

/** Everything that a profile page needs, in one response with one ETag. */
export function pageRoutes(app: FastifyInstance): void {
  readRoute(app, {
    endpoint: CALLS.profilePage,
    summary: 'Everything the caller may see of a profile, by its public address',
    access: optionalAccount(),
    params: z.object({ userSlug: z.string(), typeSlug: z.string() }),
    responses: { 200: profilePage },
    handler: async ({ caller, db, params }) => {
      const found = await findProfileBySlugs(db, params.userSlug, params.typeSlug);
      const [profile] = await presentProfiles(db, caller, found === null ? [] : [found]);
      if (found === null || profile === undefined) throw notFound('profile');
      const { viewerRole } = await requireVisible(db, found.profile, caller);
      const files = await listMedia(db, found.profile.id, null, { since: null, withHidden: viewerRole === 'owner' });
      const sections = await presentSections(db, found.type.slug, {
        profile: { ...found.profile, viewerRole },
        caller,
      });
      const others = (await listProfilesOfUser(db, found.profile.userId, caller)) ?? [];
      return ok({
        profile,
        others: others.map(presentSibling),
        rows: { ...sections, media: await presentMediaFor(db, caller, files) },
      });
    },
  });
}
