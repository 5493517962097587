import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { CALLS } from '#contract/calls.ts';
import { getMediaKindOfRecord } from '#contract/media-kinds.ts';
import { mediaPatchSchema, mediaRecord, type Media } from '#contract/records/media.ts';
import { getOwnProfile, requireVersion } from '#server/platform/access/profiles.ts';
import { requireUnrestricted } from '#server/platform/access/restricted.ts';
import type { Db } from '#server/platform/db/connect.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import { recordForSavers } from '#server/platform/access/watchers.ts';
import { ok } from '#server/platform/http/response.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { invalid } from '#server/platform/http/errors.ts';
import type { ExpectedVersion } from '#server/platform/http/if-match.ts';
import { requiredAccount, writeRoute } from '#server/platform/http/route.ts';
import { withRecord } from '#server/platform/http/schemas.ts';
import { removeUnreferenced } from '#server/platform/storage/sweep.ts';
import { describeFailure } from '#server/platform/jobs/failure.ts';
import { lockOwnMedia } from './access.ts';
import { changeMedia, deleteMedia, unsetPrimary, getStorageKeys, presentMediaFor, type MediaRow } from './store.ts';
import { toMetadata } from './submission.ts';

const byId = z.object({ id: z.string() });

type Patch = z.output<ReturnType<typeof mediaPatchSchema>>;

/** Records a media change for the owner and for everyone who saved it. */
async function recordMediaChange(db: Db, changes: ChangeLog, rows: readonly MediaRow[]): Promise<void> {
  for (const row of rows) changes.recordChange(row.userId, 'media', String(row.id), String(row.profileId));
  await recordForSavers(
    db,
    changes,
    rows.map(({ id }) => id),
  );
}

/** Presents the current record to its owner. */
async function presentOne(db: Db, caller: Caller, row: MediaRow): Promise<Media | undefined> {
  return (await presentMediaFor(db, caller, [row]))[0];
}

async function requireCurrentVersion(db: Db, caller: Caller, row: MediaRow, expected: ExpectedVersion): Promise<void> {
  if (expected === 'any' || expected === row.version) return;
  const current = await presentOne(db, caller, row);
  requireVersion(expected, row.version, () => current);
}

async function fieldsOf(db: Db, row: MediaRow, body: Patch): Promise<Parameters<typeof changeMedia>[2]> {
  const kind = getMediaKindOfRecord(row.mediaType);
  if (kind === undefined) throw new Error(`Nothing has the kind ${row.mediaType}`);
  const values: Record<string, unknown> = body;
  return {
    ...(typeof values['name'] === 'string' && { name: values['name'] }),
    metadata: await toMetadata(db, kind, values, row.metadata),
    ...(body.position !== undefined && { position: body.position }),
    ...(body.is_hidden !== undefined && { isHidden: body.is_hidden }),
    ...(body.is_primary !== undefined && { isPrimary: body.is_primary }),
  };
}

function updateRoute(app: FastifyInstance): void {
  writeRoute(app, {
    endpoint: CALLS.changeMedia,
    summary: 'Changes a medium, its place among the others or whether it is shown; what is left out stays',
    access: requiredAccount(lockOwnMedia),
    params: byId,
    body: mediaPatchSchema(() => app.deps.clock.now().getUTCFullYear()),
    responses: { 200: withRecord(mediaRecord) },
    handler: async ({ body, caller, subject, db, now, changes, expected }) => {
      await requireCurrentVersion(db, caller, subject, expected);
      if (body.profile_id !== undefined && body.profile_id !== String(subject.profileId)) {
        await getOwnProfile(db, body.profile_id, caller);
        throw invalid({ profile_id: ['This belongs to another of your profiles'] });
      }
      if (body.is_hidden === false) await requireUnrestricted(db, 'media', subject.id);
      const fields = await fieldsOf(db, subject, body);
      // Serialize per profile, so that two concurrent updates cannot both become primary.
      if (fields.isPrimary) await getOwnProfile(db, String(subject.profileId), caller, 'lock');
      const others = fields.isPrimary ? await unsetPrimary(db, subject, now) : [];
      const row = await changeMedia(db, subject, fields, now);
      await recordMediaChange(db, changes, [...others, row]);
      return ok({ message: 'Saved Successfully!', data: await presentOne(db, caller, row) });
    },
  });
}

function deleteRoute(app: FastifyInstance): void {
  const { db, storage } = app.deps;
  const leftBehind = new WeakMap<FastifyRequest, string[]>();
  // Only unreferenced files are removed, so this is safe whether or not the deletion committed.
  const clearAway = (request: FastifyRequest) =>
    removeUnreferenced(db, storage, leftBehind.get(request) ?? []).catch((error: unknown) =>
      request.log.warn(describeFailure(error), 'stored files are left to the sweep'),
    );
  writeRoute(app, {
    endpoint: CALLS.deleteMedia,
    summary: 'Deletes a medium with its files',
    access: requiredAccount(lockOwnMedia),
    params: byId,
    responses: { 200: z.object({ status: z.literal('success') }) },
    intake: { read: async (request) => ({ body: {}, fingerprint: '', release: () => clearAway(request) }) },
    handler: async ({ request, caller, subject, db: tx, changes, expected }) => {
      await requireCurrentVersion(tx, caller, subject, expected);
      await recordForSavers(tx, changes, [subject.id], 'recordDeletion');
      await deleteMedia(tx, subject);
      changes.recordDeletion(subject.userId, 'media', String(subject.id), String(subject.profileId));
      leftBehind.set(request, getStorageKeys(subject));
      return ok({ status: 'success' });
    },
  });
}

/** Routes that edit, order, hide and delete media. */
export function changeRoutes(app: FastifyInstance): void {
  updateRoute(app);
  deleteRoute(app);
}
