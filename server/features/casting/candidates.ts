import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { CASTING_CALLS } from '#contract/casting-calls.ts';
import { changeColumns, getColumns, SHORTLIST_LIMITS } from '#contract/casting/shortlist.ts';
import { roleRecord } from '#contract/records/casting.ts';
import { addCandidateBody, candidateRecord, columnsBody, moveCandidateBody } from '#contract/records/shortlist.ts';
import { getVisibleProfile } from '#server/platform/access/profiles.ts';
import { requireRight } from '#server/platform/access/projects.ts';
import { castingCandidates } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { invalid, notFound, unprocessable } from '#server/platform/http/errors.ts';
import { requireId } from '#server/platform/http/ids.ts';
import { created, ok } from '#server/platform/http/response.ts';
import { requiredAccount, writeRoute, type GuardInput } from '#server/platform/http/route.ts';
import { messageOnly, withRecord } from '#server/platform/http/schemas.ts';
import {
  addCandidate,
  countCandidates,
  findCandidate,
  type Listed,
  listCandidates,
  moveCandidate,
  presentCandidate,
  presentCandidates,
  readsShortlist,
  recordCandidate,
  removeCandidate,
  writeColumns,
} from './candidate-rows.ts';
import { byId, lockRole } from './guards.ts';
import { presentRole } from './present.ts';
import { recordRole, type RoleRow } from './rows.ts';

const SAVED = 'Shortlist saved';

type ByIdInput = GuardInput<Caller, { id: string }>;

/** Locks a candidate in whose project the caller may move cards until the commit. @throws 404, 403 */
async function lockCandidate({ db, caller, params }: ByIdInput): Promise<Listed> {
  const id = requireId(params.id, 'candidate');
  await db
    .select({ id: castingCandidates.id })
    .from(castingCandidates)
    .where(eq(castingCandidates.id, id))
    .for('no key update');
  const [found] = await listCandidates(db, readsShortlist(caller.userId), caller.userId, [id]);
  if (found === undefined) throw notFound('candidate');
  await requireRight(db, found, caller, 'rate', 'candidate');
  return found;
}

/** Locks a role of whose shortlist the caller may change the columns until the commit. @throws 404, 403 */
const lockRatedRole = ({ db, caller, params }: ByIdInput): Promise<RoleRow> =>
  lockRole(db, caller, params.id, 'no key update', 'rate');

/**
 * The shortlist of a role. Nothing of it reaches a performer: no record, version, event or notification. Moves and removals need no version: the last one
 * holds, whoever made it.
 */
export function candidateRoutes(app: FastifyInstance): void {
  app.mirror.set('candidate', async (db, ids, userId) =>
    presentCandidates(
      db,
      (await listCandidates(db, readsShortlist(userId), userId, ids.map(Number))).map(({ candidate }) => candidate),
    ),
  );

  writeRoute(app, {
    endpoint: CASTING_CALLS.addCandidate,
    summary: 'Puts somebody on the shortlist of a role; who is on it already stays where they are',
    access: requiredAccount(),
    body: addCandidateBody,
    responses: { 200: withRecord(candidateRecord), 201: withRecord(candidateRecord) },
    handler: async ({ body, caller, db, now, changes }) => {
      // Locked, so that two who add the same person, or the last that there is room for, come one after the other.
      const role = await lockRole(db, caller, body.role_id, 'no key update', 'rate');
      const profile = await getVisibleProfile(db, body.profile_id, caller);
      if (profile.userId === caller.userId) throw invalid({ profile_id: ['This is your own profile'] });
      const known = await findCandidate(db, role.id, profile.id);
      if (known !== null) return ok({ message: SAVED, data: await presentCandidate(db, known) });
      const most = SHORTLIST_LIMITS.candidatesPerRole;
      if ((await countCandidates(db, role.id)) >= most) {
        throw unprocessable(`A shortlist has room for ${most} performers`);
      }
      const { column, position, client_id: clientId = null } = body;
      const place = { roleId: role.id, profileId: profile.id, column, position };
      const candidate = await addCandidate(db, { ...place, clientId, createdAt: now });
      await recordCandidate(db, changes, { candidate, ownerId: role.userId, performerId: profile.userId });
      return created({ message: SAVED, data: await presentCandidate(db, candidate) });
    },
  });

  writeRoute(app, {
    endpoint: CASTING_CALLS.moveCandidate,
    summary: 'Moves somebody on the shortlist of a role',
    access: requiredAccount(lockCandidate),
    params: byId,
    body: moveCandidateBody,
    responses: { 200: withRecord(candidateRecord) },
    handler: async ({ body, subject, db, now, changes }) => {
      const candidate = await moveCandidate(db, subject.candidate, body, now);
      await recordCandidate(db, changes, subject);
      return ok({ message: SAVED, data: await presentCandidate(db, candidate) });
    },
  });

  writeRoute(app, {
    endpoint: CASTING_CALLS.removeCandidate,
    summary: 'Takes somebody off the shortlist of a role',
    access: requiredAccount(lockCandidate),
    params: byId,
    responses: { 200: messageOnly },
    handler: async ({ subject, db, changes }) => {
      await recordCandidate(db, changes, subject, 'recordDeletion');
      await removeCandidate(db, subject.candidate);
      return ok({ message: 'Removed' });
    },
  });

  writeRoute(app, {
    endpoint: CASTING_CALLS.changeColumns,
    summary: 'Adds, renames and removes columns of a shortlist; what is left out stays',
    access: requiredAccount(lockRatedRole),
    params: byId,
    body: columnsBody,
    responses: { 200: withRecord(roleRecord) },
    handler: async ({ body, subject, db, now, changes }) => {
      const columns = changeColumns(getColumns(subject), body.columns);
      const most = SHORTLIST_LIMITS.columns;
      if (columns.length > most) throw invalid({ columns: [`A shortlist has up to ${most} columns`] });
      if (columns.length === 0) throw invalid({ columns: ['Keep at least one column'] });
      const role = await writeColumns(db, subject, columns, now);
      await recordRole(db, changes, role);
      return ok({ message: SAVED, data: presentRole(role) });
    },
  });
}
