import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { LIMITS } from '#contract/limits.ts';
import { checkRules, fieldSchema, patchSchema } from '#contract/schema.ts';
import type { AnyRow, Section } from '#contract/section.ts';
import {
  getWriteRefusal,
  requireVersion,
  getVisibleProfile,
  type VisibleProfile,
} from '#server/platform/access/profiles.ts';
import { getRelations } from '#server/platform/access/viewer-role.ts';
import { canBeWrittenBy } from '#server/platform/access/minors.ts';
import { requireUnrestricted } from '#server/platform/access/restricted.ts';
import { requireMayReach } from '#server/platform/access/withholding.ts';
import type { Db } from '#server/platform/db/connect.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import { profiles, sectionRows, users } from '#server/platform/db/schema.ts';
import { created, ok } from '#server/platform/http/response.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { forbidden, HttpError, invalid, notFound } from '#server/platform/http/errors.ts';
import { requireId } from '#server/platform/http/ids.ts';
import { getContactWeight, LIMIT } from '#server/platform/http/limits.ts';
import { requiredAccount, writeRoute, type GuardInput } from '#server/platform/http/route.ts';
import { withRecord, messageOnly } from '#server/platform/http/schemas.ts';
import { storagePath } from '#server/platform/storage/storage.ts';
import { getPreview, deleteNotifications, notify, updateNotificationText } from '../notifications/store.ts';
import { toRowValues, byId, pickFields, profileId } from './guards.ts';
import { checkPicked } from './lookup-values.ts';
import { addRow, changeRow, lockRow, removeRow, type SectionRow } from './store.ts';

/** Presents feedback with its author: their oldest active profile, or else only their name. */
export async function presentFeedback(db: Db, section: Section, rows: readonly SectionRow[]): Promise<AnyRow[]> {
  const authors = await loadAuthors(db, [...new Set(rows.map((row) => row.userId))]);
  return rows.map((row) => ({
    id: String(row.id),
    profile_id: String(row.profileId),
    user_id: String(row.userId),
    ...toRowValues(section, row.body),
    is_hidden: row.body.is_hidden === true,
    profile: authors.get(row.userId) ?? null,
    client_id: row.clientId,
    version: row.version,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }));
}

async function loadAuthors(db: Db, userIds: number[]): Promise<Map<number, AnyRow>> {
  if (userIds.length === 0) return new Map();
  const people = await db.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, userIds));
  const summaries = await db
    .select({ userId: profiles.userId, title: profiles.title, photoKey: profiles.photoKey })
    .from(profiles)
    .where(and(inArray(profiles.userId, userIds), profiles.isShown))
    .orderBy(asc(profiles.createdAt), asc(profiles.id));
  return new Map(
    people.map(({ id, name }) => {
      const summary = summaries.find((each) => each.userId === id);
      const photo = summary?.photoKey ? storagePath(summary.photoKey) : null;
      return [id, { profile_photo: photo, title: summary?.title ?? null, user: { id: String(id), name } }];
    }),
  );
}

/**
 * Filters feedback for a reader. Only the profile's owner and the author see hidden entries. Readers do not see feedback by people
 * with a block in either direction; the owner, who is responsible for the page, sees everything.
 */
export async function filterVisibleFeedback(
  db: Db,
  rows: readonly SectionRow[],
  caller: Caller | null,
  isOwner: boolean,
): Promise<SectionRow[]> {
  if (isOwner) return [...rows];
  const shown = rows.filter((row) => row.body.is_hidden !== true || row.userId === caller?.userId);
  const authors = await getRelations(
    db,
    caller,
    shown.map((row) => row.userId),
  );
  return shown.filter((row) => authors.get(row.userId)?.viewerRole !== 'blocked');
}

interface Found {
  row: SectionRow;
  ownerId: number;
  is: 'author' | 'owner';
}

/** Locks an entry for its author or the profile's owner. @throws 404 if the caller may not know of it, otherwise 403 */
const lockForAuthorOrOwner =
  (section: Section) =>
  async ({ db, caller, params }: GuardInput<Caller, { id: string }>): Promise<Found> => {
    const row = await lockRow(db, section, requireId(params.id, section.noun));
    if (row === null) throw notFound(section.noun);
    const [profile] = await db.select().from(profiles).where(eq(profiles.id, row.profileId));
    if (profile === undefined) throw notFound(section.noun);
    if (profile.userId === caller.userId) return { row, ownerId: profile.userId, is: 'owner' };
    if (row.userId === caller.userId) return { row, ownerId: profile.userId, is: 'author' };
    throw await getWriteRefusal(db, profile, caller, section.noun, () => row.body.is_hidden !== true);
  };

/** Records a change for the owner and the author, who both have the entry in their mirror. */
function recordFeedbackChange(
  changes: ChangeLog,
  row: SectionRow,
  ownerId: number,
  verb: 'recordChange' | 'recordDeletion',
): void {
  for (const userId of new Set([ownerId, row.userId])) {
    changes[verb](userId, row.section, String(row.id), String(row.profileId));
  }
}

/** Builds the notification to the profile's owner about an entry. */
const toNotification = (section: Section, { id, profileId: about, body }: SectionRow) => ({
  type: 'feedback.received' as const,
  subjectId: id,
  data: { profile_id: String(about), feedback_id: String(id), text: getPreview(section.card(body as AnyRow).title) },
});

/** Serializes entries of one author until the end of the transaction, so that the limit holds for concurrent requests. */
const lockAuthor = (db: Db, authorId: number, about: number) =>
  db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`feedback ${authorId} ${about}`}, 0))`);

/** @throws 422 if the author has reached the limit on this profile */
async function requireRoom(db: Db, row: SectionRow): Promise<void> {
  const { userId, profileId: about, section } = row;
  const written = await db.$count(
    sectionRows,
    and(eq(sectionRows.userId, userId), eq(sectionRows.profileId, about), eq(sectionRows.section, section)),
  );
  if (written <= LIMITS.feedbackPerAuthor) return;
  throw invalid({
    feedback: [`You can leave ${LIMITS.feedbackPerAuthor} texts on a page. Edit or delete one of yours`],
  });
}

/** Feedback by a connection is visible immediately; other feedback is hidden until the owner approves it. */
const needsApproval = ({ viewerRole }: Pick<VisibleProfile, 'viewerRole'>) => viewerRole !== 'connection';

/**
 * Loads a profile on whose page the caller may write, also in words that stand there already.
 * @throws 404 if the caller cannot see the page (any more), or its owner is a minor to whom they are a stranger; 403 if they may not reach
 * others yet
 */
async function getWritableProfile(db: Db, id: string, caller: Caller): Promise<VisibleProfile> {
  const profile = await getVisibleProfile(db, id, caller);
  if (!(await canBeWrittenBy(db, profile.userId, profile.viewerRole))) throw notFound('profile');
  await requireMayReach(db, caller);
  return profile;
}

/**
 * The author knows of the text and may delete it, so it is not said to be gone.
 * @throws 403 if the author may not write on the page any more
 */
async function getRewritableProfile(db: Db, row: SectionRow, caller: Caller): Promise<VisibleProfile> {
  return getWritableProfile(db, String(row.profileId), caller).catch((error: unknown) => {
    if (error instanceof HttpError && error.status === 404) throw forbidden('You can’t write on this page any more');
    throw error;
  });
}

const clientId = z.optional(z.uuid({ error: 'Send a UUID' }));

/**
 * The write routes of a section that viewers write: only the author edits an entry, and only the profile's owner hides it. Both may
 * delete it.
 */
export function feedbackRoutes(app: FastifyInstance, section: Section, record: z.ZodMiniType): void {
  const { create, update, remove } = section.endpoints;
  const currentYear = () => app.deps.clock.now().getUTCFullYear();
  const one = async (db: Db, row: SectionRow) => (await presentFeedback(db, section, [row]))[0];
  const requireValid = async (db: Db, values: AnyRow, given: AnyRow) => {
    const errors = { ...checkRules(section, values), ...(await checkPicked(db, section, given)) };
    if (Object.keys(errors).length > 0) throw invalid(errors);
  };

  if (create) {
    const fields = Object.fromEntries(
      Object.entries(section.fields).map(([key, field]) => [key, fieldSchema(field, currentYear)]),
    );
    writeRoute(app, {
      endpoint: create,
      summary: `Writes ${section.noun} about a profile`,
      access: requiredAccount(),
      body: z.object({ profile_id: profileId, client_id: clientId, ...fields }),
      responses: { 200: withRecord(record), 201: withRecord(record) },
      handler: async ({ body, caller, db, now, changes }) => {
        const profile = await getWritableProfile(db, body.profile_id, caller);
        if (profile.userId === caller.userId) throw forbidden();
        const values = toRowValues(section, body);
        await requireValid(db, values, body);
        await lockAuthor(db, caller.userId, profile.id);
        const added = await addRow(db, {
          userId: caller.userId,
          profileId: profile.id,
          section: section.key,
          body: { ...values, is_hidden: needsApproval(profile) },
          clientId: body.client_id ?? null,
          createdAt: now,
        });
        const answer = { message: section.savedText, data: await one(db, added.row) };
        if (!added.isNew) return ok(answer);
        await requireRoom(db, added.row);
        // Each tells somebody who does not know the author, also one that is deleted again.
        if (needsApproval(profile)) {
          const points = getContactWeight(caller, now);
          await app.deps.sharedLimiter.take(LIMIT.feedback, String(caller.userId), points);
        }
        recordFeedbackChange(changes, added.row, profile.userId, 'recordChange');
        const notification = { ...toNotification(section, added.row), userId: profile.userId, actorId: caller.userId };
        await notify(db, changes, notification, now);
        return created(answer);
      },
    });
  }

  if (update) {
    writeRoute(app, {
      endpoint: update,
      summary: `Changes ${section.noun}: the author its text, the profile’s owner whether it is hidden`,
      access: requiredAccount(lockForAuthorOrOwner(section)),
      params: byId,
      body: z.object({
        ...patchSchema(section, currentYear).shape,
        profile_id: z.optional(profileId),
        is_hidden: z.optional(z.boolean({ error: 'Choose yes or no' })),
      }),
      responses: { 200: withRecord(record) },
      handler: async ({ body, caller, subject, db, now, changes, expected }) => {
        const { row, ownerId, is } = subject;
        const page = is === 'author' ? await getRewritableProfile(db, row, caller) : null;
        const words = pickFields(section, body);
        if ((is === 'owner' && Object.keys(words).length > 0) || (is === 'author' && body.is_hidden !== undefined)) {
          throw forbidden();
        }
        if (body.profile_id !== undefined && body.profile_id !== String(row.profileId)) {
          throw invalid({ profile_id: ['This belongs to another profile'] });
        }
        const current = await one(db, row);
        requireVersion(expected, row.version, () => current);
        const values = toRowValues(section, { ...row.body, ...words });
        // Hiding an entry does not edit its text.
        if (is === 'author') await requireValid(db, values, words);
        // The owner has approved a different text.
        const isAnew = section.card(values).title !== section.card(toRowValues(section, row.body)).title;
        const isAwaitingApproval = page !== null && isAnew && needsApproval(page);
        if (body.is_hidden === false) await requireUnrestricted(db, 'feedback', row.id);
        const isHidden = body.is_hidden ?? (row.body.is_hidden === true || isAwaitingApproval);
        const next = await changeRow(db, row, { ...values, is_hidden: isHidden }, now);
        recordFeedbackChange(changes, next, ownerId, 'recordChange');
        const { data, ...about } = toNotification(section, next);
        await updateNotificationText(db, changes, about, data);
        return ok({ message: section.savedText, data: await one(db, next) });
      },
    });
  }

  if (remove) {
    writeRoute(app, {
      endpoint: remove,
      summary: `Deletes ${section.noun}`,
      access: requiredAccount(lockForAuthorOrOwner(section)),
      params: byId,
      responses: { 200: messageOnly },
      handler: async ({ subject, db, changes, expected }) => {
        const current = await one(db, subject.row);
        requireVersion(expected, subject.row.version, () => current);
        await removeRow(db, subject.row);
        recordFeedbackChange(changes, subject.row, subject.ownerId, 'recordDeletion');
        await deleteNotifications(db, changes, { type: 'feedback.received', subjectId: subject.row.id });
        return ok({ message: 'Deleted' });
      },
    });
  }
}
