import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CALLS } from '#contract/calls.ts';
import { MEDIA_KINDS, type MediaKind } from '#contract/media-kinds.ts';
import { mediaRecord } from '#contract/records/media.ts';
import { getOwnProfile, requireVersion, getVisibleProfile } from '#server/platform/access/profiles.ts';
import { profiles } from '#server/platform/db/schema.ts';
import { recordForWatchers } from '#server/platform/access/watchers.ts';
import { loadFullProfile, recordProfileChange, presentOwn } from '#server/features/profile/store.ts';
import type { Uploads } from '#server/features/uploads/open.ts';
import { created, ok } from '#server/platform/http/response.ts';
import { conflict, unauthorized } from '#server/platform/http/errors.ts';
import { requiredAccount, readRoute, optionalAccount, writeRoute } from '#server/platform/http/route.ts';
import { storagePath } from '#server/platform/storage/storage.ts';
import { newestProfileId } from './access.ts';
import { lockPerson } from '#server/platform/db/lock-person.ts';
import { attach } from './attach.ts';
import { avatarForm, avatarIntake } from './avatar.ts';
import { changeRoutes } from './change.ts';
import { galleryRoutes } from './gallery.ts';
import { consumeUpload } from './intake.ts';
import { linkRoute } from './link.ts';
import { mediaLookupRoutes } from './lookups.ts';
import { savedMediaRoutes } from './saved.ts';
import { submissionForms, submissionIntake } from './submission.ts';
import { forgetFiles, listMedia, presentMediaFor, recordFiles, findSubmission } from './store.ts';

const mediaList = z.object({ message: z.string(), files: z.array(mediaRecord) });

function submitRoute(app: FastifyInstance, uploads: Uploads): void {
  const intake = submissionIntake(app.deps, uploads);
  writeRoute(app, {
    endpoint: CALLS.submitMedia,
    summary: 'Adds media of one kind, sent as files, as complete uploads or as a link to a video: all of them or none',
    access: requiredAccount(),
    body: z.looseObject({ client_id: z.optional(z.string()) }),
    intake: {
      type: 'multipart/form-data',
      docs: submissionForms(() => app.deps.clock.now().getUTCFullYear()),
      read: intake.read,
    },
    responses: { 200: mediaList, 201: mediaList },
    handler: async (context) => {
      const { request, caller, body, db } = context;
      await lockPerson(db, caller.userId);
      const clientId = body.client_id ?? null;
      const before = clientId === null ? [] : await findSubmission(db, caller.userId, clientId);
      if (before.length > 0)
        return ok({ message: 'Saved Successfully!', files: await presentMediaFor(db, caller, before) });
      const prepared = intake.prepared.get(request);
      // The stored response was deleted in the meantime; a retry inspects the files.
      if (prepared === undefined) throw conflict('Try again', 1);
      const { submission: sent } = prepared.value;
      const profile = await getOwnProfile(db, sent.profileId, caller);
      for (const id of sent.uploadIds) {
        prepared.touch(...(await consumeUpload(uploads, db, caller.userId, id, 'upload_ids')));
      }
      const files = await attach(context, app.deps.config, profile.id, [prepared.value]);
      return created({ message: 'Saved Successfully!', files });
    },
  });
}

function avatarRoute(app: FastifyInstance, uploads: Uploads): void {
  const intake = avatarIntake(app.deps, uploads.receiver);
  writeRoute(app, {
    endpoint: CALLS.avatar,
    summary: 'Sets the picture of a profile, sent as a file or as a complete upload',
    access: requiredAccount(),
    body: avatarForm,
    intake: {
      type: 'multipart/form-data',
      docs: z.extend(avatarForm, { image: z.optional(z.file()) }),
      read: intake.read,
    },
    responses: { 200: z.object({ message: z.string(), profile_photo: z.string(), version: z.int() }) },
    handler: async ({ request, caller, body, db, now, changes, expected }) => {
      const profile = await getOwnProfile(db, body.profileId, caller, 'lock');
      const current = await loadFullProfile(db, profile.id);
      requireVersion(expected, profile.version, () => presentOwn(current));
      const prepared = intake.prepared.get(request);
      if (prepared === undefined) throw conflict('Try again', 1);
      const { value: picture, touch } = prepared;
      if (body.upload_id) touch(...(await consumeUpload(uploads, db, caller.userId, body.upload_id, 'upload_id')));
      if (profile.photoKey !== null) {
        touch(profile.photoKey);
        await forgetFiles(db, [profile.photoKey]);
      }
      await recordFiles(db, { userId: caller.userId, profileId: profile.id }, [picture], now);
      const version = profile.version + 1;
      await db
        .update(profiles)
        .set({ photoKey: picture.key, version, updatedAt: now })
        .where(eq(profiles.id, profile.id));
      recordProfileChange(changes, profile);
      await recordForWatchers(db, changes, profile);
      return ok({ message: 'Avatar uploaded!', profile_photo: storagePath(picture.key), version });
    },
  });
}

const period = z.literal(['today', 'month', 'year'], { error: 'Use today, month or year' });

/** Returns the start of the current day, month or year in UTC. */
function getPeriodStart(span: z.infer<typeof period>, now: Date): Date {
  const month = span === 'year' ? 0 : now.getUTCMonth();
  return new Date(Date.UTC(now.getUTCFullYear(), month, span === 'today' ? now.getUTCDate() : 1));
}

function listRoute(app: FastifyInstance, kind: MediaKind): void {
  readRoute(app, {
    endpoint: kind.list,
    summary: `${kind.title} of a profile; without one, of the newest of the caller`,
    access: optionalAccount(),
    query: z.object({ profile_id: z.optional(z.string().check(z.maxLength(64))), period: z.optional(period) }),
    responses: { 200: z.array(mediaRecord) },
    handler: async ({ caller, query, db, now }) => {
      if (query.profile_id === undefined && caller === null) throw unauthorized();
      const id = query.profile_id ?? (caller && (await newestProfileId(db, caller.userId)));
      if (id === null) return ok([]);
      const profile = await getVisibleProfile(db, String(id), caller);
      const since = query.period === undefined ? null : getPeriodStart(query.period, now);
      const rows = await listMedia(db, profile.id, kind.key, { since, withHidden: profile.viewerRole === 'owner' });
      return ok(await presentMediaFor(db, caller, rows));
    },
  });
}

/** Media and avatar routes. */
export function mediaRoutes(app: FastifyInstance, uploads: Uploads): void {
  submitRoute(app, uploads);
  avatarRoute(app, uploads);
  mediaLookupRoutes(app);
  for (const kind of MEDIA_KINDS) listRoute(app, kind);
  galleryRoutes(app);
  changeRoutes(app);
  savedMediaRoutes(app);
  linkRoute(app);
}
