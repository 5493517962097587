import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CASTING_CALLS } from '#contract/casting-calls.ts';
import { ROLE_FORM } from '#contract/casting/role.ts';
import { CASTING_LIMITS, openOrClosed, roleRecord } from '#contract/records/casting.ts';
import { checkRules, crossRules, fieldSchema, idText, patchSchema } from '#contract/schema.ts';
import { requireVersion } from '#server/platform/access/profiles.ts';
import { lockColleagues, readsProject } from '#server/platform/access/projects.ts';
import { castingRoles } from '#server/platform/db/schema.ts';
import { invalid, unprocessable } from '#server/platform/http/errors.ts';
import { created, ok } from '#server/platform/http/response.ts';
import { requiredAccount, writeRoute } from '#server/platform/http/route.ts';
import { messageOnly, withRecord } from '#server/platform/http/schemas.ts';
import { pickFields, toRowValues } from '../sections/guards.ts';
import { recordShortlistOfRoleRemoved } from './candidate-rows.ts';
import { byId, lockOwnRole, lockProject } from './guards.ts';
import { recordLinksRemoved } from './link-rows.ts';
import { presentRole } from './present.ts';
import { changeNotices, toNotices } from './notices.ts';
import { WERE_ASKED } from './projects.ts';
import { recordAuditions, recordRole, type RoleRow } from './rows.ts';
import {
  addRole,
  changeRole,
  countRoles,
  findRoleByClientId,
  listRoles,
  removeRole,
  wasAnybodyAsked,
} from './store.ts';

const SAVED = 'Role saved';

/** The fields of a role that performers read in their auditions. Its notices are kept with each request. */
const SHOWN = ['name', 'description', 'age_min', 'age_max', 'skills', 'location', 'pay'] as const;

const getShown = ({ body, status }: RoleRow) => [status, ...SHOWN.map((field) => body[field] ?? null)];

/** Creating, changing, closing and deleting roles. */
export function roleRoutes(app: FastifyInstance): void {
  const currentYear = () => app.deps.clock.now().getUTCFullYear();
  const fields = Object.fromEntries(
    Object.entries(ROLE_FORM.fields).map(([key, field]) => [key, fieldSchema(field, currentYear)]),
  );
  app.mirror.set('role', async (db, ids, userId) => {
    const whose = readsProject(userId, castingRoles.projectId, castingRoles.userId);
    return (await listRoles(db, whose, ids.map(Number))).map(presentRole);
  });

  writeRoute(app, {
    endpoint: CASTING_CALLS.createRole,
    summary: 'Adds a role to a project of the caller',
    access: requiredAccount(),
    body: z
      .object({ project_id: idText, client_id: z.optional(z.uuid({ error: 'Send a UUID' })), ...fields })
      .check(crossRules(ROLE_FORM.rules)),
    responses: { 200: withRecord(roleRecord), 201: withRecord(roleRecord) },
    handler: async ({ body, caller, db, now, changes }) => {
      const { userId } = caller;
      const clientId = body.client_id ?? null;
      // Locked, so that two roles added at once are counted.
      const project = await lockProject(db, caller, body.project_id, 'no key update', 'own');
      const known = clientId === null ? null : await findRoleByClientId(db, userId, clientId);
      if (known !== null) return ok({ message: SAVED, data: presentRole(known) });
      const most = CASTING_LIMITS.rolesPerProject;
      if ((await countRoles(db, project.id)) >= most) throw unprocessable(`A project can have up to ${most} roles`);
      const values = toRowValues(ROLE_FORM, body);
      const row = await addRole(db, { userId, projectId: project.id, body: values, clientId, createdAt: now });
      await recordRole(db, changes, row);
      return created({ message: SAVED, data: presentRole(row) });
    },
  });

  writeRoute(app, {
    endpoint: CASTING_CALLS.updateRole,
    summary: 'Changes, closes or opens a role; what is left out stays',
    access: requiredAccount(lockOwnRole),
    params: byId,
    body: z
      .object({ ...patchSchema(ROLE_FORM, currentYear).shape, status: openOrClosed })
      .check(crossRules(ROLE_FORM.rules, 'patch')),
    responses: { 200: withRecord(roleRecord) },
    handler: async ({ body, subject, db, now, changes, expected }) => {
      requireVersion(expected, subject.version, () => presentRole(subject));
      const values = toRowValues(ROLE_FORM, { ...subject.body, ...pickFields(ROLE_FORM, body) });
      const errors = checkRules(ROLE_FORM, values);
      if (Object.keys(errors).length > 0) throw invalid(errors);
      const row = await changeRole(db, subject, { body: values, status: body.status ?? subject.status }, now);
      await recordRole(db, changes, row);
      if (!isDeepStrictEqual(getShown(subject), getShown(row))) {
        await recordAuditions(db, changes, { roleId: row.id });
      }
      if (!isDeepStrictEqual(toNotices(subject), toNotices(row))) await changeNotices(db, changes, row, now);
      return ok({ message: SAVED, data: presentRole(row) });
    },
  });

  writeRoute(app, {
    endpoint: CASTING_CALLS.deleteRole,
    summary: 'Deletes a role for which nobody was asked',
    access: requiredAccount(lockOwnRole),
    params: byId,
    responses: { 200: messageOnly },
    handler: async ({ subject, db, changes, expected }) => {
      requireVersion(expected, subject.version, () => presentRole(subject));
      if (await wasAnybodyAsked(db, { roleId: subject.id })) throw unprocessable(WERE_ASKED);
      await recordShortlistOfRoleRemoved(db, changes, subject);
      const { id, userId, projectId } = subject;
      await recordLinksRemoved(db, changes, { roleId: id });
      for (const person of [userId, ...(await lockColleagues(db, { projectId }))]) {
        changes.recordDeletion(person, 'role', String(id), String(projectId));
      }
      await removeRole(db, id);
      return ok({ message: 'Deleted' });
    },
  });
}
