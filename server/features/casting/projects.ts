import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CASTING_CALLS } from '#contract/casting-calls.ts';
import { PROJECT_FORM } from '#contract/casting/project.ts';
import { CASTING_LIMITS, openOrClosed, projectRecord } from '#contract/records/casting.ts';
import { checkRules, crossRules, fieldSchema, patchSchema } from '#contract/schema.ts';
import { requireVersion } from '#server/platform/access/profiles.ts';
import { lockColleagues, readsProject } from '#server/platform/access/projects.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { lockPerson } from '#server/platform/db/lock-person.ts';
import { castingProjects } from '#server/platform/db/schema.ts';
import { invalid, unprocessable } from '#server/platform/http/errors.ts';
import { created, ok } from '#server/platform/http/response.ts';
import { requiredAccount, writeRoute } from '#server/platform/http/route.ts';
import { messageOnly, withRecord } from '#server/platform/http/schemas.ts';
import { pickFields, toRowValues } from '../sections/guards.ts';
import { recordShortlistsOfProjectRemoved } from './candidate-rows.ts';
import { byId, lockOwnProject } from './guards.ts';
import { recordLinksRemoved } from './link-rows.ts';
import { endProject, recordMembersOf } from './member-rows.ts';
import { presentProject, presentProjects } from './present.ts';
import { recordAuditions, type ProjectRow } from './rows.ts';
import {
  addProject,
  changeProject,
  countOpenProjects,
  findProjectByClientId,
  listProjects,
  removeProject,
  wasAnybodyAsked,
} from './store.ts';

const SAVED = 'Project saved';
export const WERE_ASKED = 'People were asked for this. Close it instead';

/** The fields of a project that performers read in their auditions. */
const SHOWN = ['title', 'type', 'company', 'synopsis', 'shoot_from', 'shoot_to'] as const;

const getShown = ({ body }: ProjectRow) => SHOWN.map((field) => body[field] ?? null);

/** The person must be locked, so that two projects opened at once are counted. @throws 422 */
async function requireRoomForOpen(tx: Db, userId: number): Promise<void> {
  const most = CASTING_LIMITS.openProjects;
  if ((await countOpenProjects(tx, userId)) >= most) {
    throw unprocessable(`You can have up to ${most} open projects. Close one to make room`);
  }
}

/** Creating, changing, closing and deleting projects. */
export function projectRoutes(app: FastifyInstance): void {
  const currentYear = () => app.deps.clock.now().getUTCFullYear();
  const fields = Object.fromEntries(
    Object.entries(PROJECT_FORM.fields).map(([key, field]) => [key, fieldSchema(field, currentYear)]),
  );
  app.mirror.set('project', async (db, ids, userId) =>
    presentProjects(
      db,
      await listProjects(db, readsProject(userId, castingProjects.id, castingProjects.userId), ids.map(Number)),
      userId,
    ),
  );

  writeRoute(app, {
    endpoint: CASTING_CALLS.createProject,
    summary: 'Adds a project, of which the caller is the owner',
    access: requiredAccount(),
    body: z
      .object({ client_id: z.optional(z.uuid({ error: 'Send a UUID' })), ...fields })
      .check(crossRules(PROJECT_FORM.rules)),
    responses: { 200: withRecord(projectRecord), 201: withRecord(projectRecord) },
    handler: async ({ body, caller: { userId }, db, now, changes }) => {
      const clientId = body.client_id ?? null;
      await lockPerson(db, userId);
      const known = clientId === null ? null : await findProjectByClientId(db, userId, clientId);
      if (known !== null) return ok({ message: SAVED, data: presentProject(known) });
      await requireRoomForOpen(db, userId);
      const row = await addProject(db, { userId, body: toRowValues(PROJECT_FORM, body), clientId, createdAt: now });
      changes.recordChange(userId, 'project', String(row.id), null);
      return created({ message: SAVED, data: presentProject(row) });
    },
  });

  writeRoute(app, {
    endpoint: CASTING_CALLS.updateProject,
    summary: 'Changes, closes or opens a project; what is left out stays',
    access: requiredAccount(lockOwnProject),
    params: byId,
    body: z
      .object({ ...patchSchema(PROJECT_FORM, currentYear).shape, status: openOrClosed })
      .check(crossRules(PROJECT_FORM.rules, 'patch')),
    responses: { 200: withRecord(projectRecord) },
    handler: async ({ body, subject, db, now, changes, expected, caller: { userId } }) => {
      requireVersion(expected, subject.version, () => presentProject(subject));
      const values = toRowValues(PROJECT_FORM, { ...subject.body, ...pickFields(PROJECT_FORM, body) });
      const errors = checkRules(PROJECT_FORM, values);
      if (Object.keys(errors).length > 0) throw invalid(errors);
      const status = body.status ?? subject.status;
      if (status === 'open' && subject.status !== 'open') {
        await lockPerson(db, userId);
        await requireRoomForOpen(db, userId);
      }
      const row = await changeProject(db, subject, { body: values, status }, now);
      for (const person of [userId, ...(await lockColleagues(db, { projectId: row.id }))]) {
        changes.recordChange(person, 'project', String(row.id), null);
      }
      if (!isDeepStrictEqual(getShown(subject), getShown(row))) {
        await recordAuditions(db, changes, { projectId: row.id });
        if (subject.body.title !== row.body.title) await recordMembersOf(db, changes, row.id);
      }
      return ok({ message: SAVED, data: presentProject(row) });
    },
  });

  writeRoute(app, {
    endpoint: CASTING_CALLS.deleteProject,
    summary: 'Deletes a project and its roles, if nobody was asked for it',
    access: requiredAccount(lockOwnProject),
    params: byId,
    responses: { 200: messageOnly },
    handler: async ({ subject, db, now, changes, expected, caller: { userId } }) => {
      requireVersion(expected, subject.version, () => presentProject(subject));
      if (await wasAnybodyAsked(db, { projectId: subject.id })) throw unprocessable(WERE_ASKED);
      await endProject(db, changes, subject.id, now);
      await recordLinksRemoved(db, changes, { projectId: subject.id });
      const project = String(subject.id);
      await recordShortlistsOfProjectRemoved(db, changes, subject);
      for (const role of await removeProject(db, subject.id)) {
        changes.recordDeletion(userId, 'role', String(role), project);
      }
      changes.recordDeletion(userId, 'project', project, null);
      return ok({ message: 'Deleted' });
    },
  });
}
