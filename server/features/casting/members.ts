import type { FastifyInstance } from 'fastify';
import type * as z from 'zod/mini';
import { CASTING_CALLS } from '#contract/casting-calls.ts';
import { inviteBody, memberBody, memberRecord, MEMBERS_PER_PROJECT } from '#contract/records/members.ts';
import { OWNER_ONLY, readsProject } from '#server/platform/access/projects.ts';
import { requireVersion } from '#server/platform/access/profiles.ts';
import { getRelation } from '#server/platform/access/viewer-role.ts';
import { requireMayReach } from '#server/platform/access/withholding.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { lockPair } from '#server/platform/db/lock-pair.ts';
import { castingMembers, castingProjects } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { conflictWith, forbidden, invalid, notFound, unprocessable } from '#server/platform/http/errors.ts';
import { parseId, requireId } from '#server/platform/http/ids.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { created, ok } from '#server/platform/http/response.ts';
import { requiredAccount, writeRoute, type GuardInput } from '#server/platform/http/route.ts';
import type { SharedLimiter } from '#server/platform/http/shared-limiter.ts';
import { messageOnly, withRecord } from '#server/platform/http/schemas.ts';
import { deleteNotifications, getPreview, notify } from '../notifications/store.ts';
import { byId, lockProject } from './guards.ts';
import {
  changeMember,
  countMembers,
  endMember,
  findMemberOf,
  letIn,
  listMembers,
  lockMember,
  presentMember,
  presentMembers,
  readsMember,
  recordMember,
  wasAskedIn,
  type MemberRow,
} from './member-rows.ts';
import { listProjects } from './store.ts';

type ByIdInput = GuardInput<Caller, { id: string }>;

/** What a person reads of a row, whether they may change it or not. @throws 404 */
async function lockReadable({ db, caller, params }: ByIdInput): Promise<MemberRow> {
  const row = await lockMember(db, requireId(params.id, 'colleague'));
  const [readable] = row === null ? [] : await listMembers(db, readsMember(caller.userId), [row.id]);
  if (row === null || readable === undefined) throw notFound('colleague');
  return row;
}

/** Locks a colleague in a project of the caller. @throws 404, or 403 for another colleague */
async function lockOfOwner(input: ByIdInput): Promise<MemberRow> {
  const row = await lockReadable(input);
  if (row.project.userId !== input.caller.userId) throw forbidden(OWNER_ONLY);
  return row;
}

/** Locks the caller's own invitation or place in a project, also one that has ended. @throws 404, or 403 for others who read it */
async function lockOwnPlace(input: ByIdInput): Promise<MemberRow> {
  const row = await lockMember(input.db, requireId(input.params.id, 'colleague'));
  if (row?.userId === input.caller.userId) return row;
  await lockReadable(input);
  throw forbidden('Only they can do that');
}

/** Notifies the colleague, or who was to be one. */
const tell = (tx: Db, changes: ChangeLog, type: 'project.invited' | 'project.removed', row: MemberRow, now: Date) =>
  notify(
    tx,
    changes,
    {
      userId: row.userId,
      actorId: row.project.userId,
      type,
      subjectId: row.id,
      data: { project_id: String(row.projectId), text: getPreview(String(row.project.body.title)) },
    },
    now,
  );

interface Inviting {
  db: Db;
  changes: ChangeLog;
  caller: Caller;
  body: z.output<typeof inviteBody>;
  now: Date;
  limiter: SharedLimiter;
}

/** @throws 404 or 403 unless it is a project of the caller */
async function requireOwn({ db, caller, body }: Inviting): Promise<void> {
  const whose = readsProject(caller.userId, castingProjects.id, castingProjects.userId);
  const [project] = await listProjects(db, whose, [requireId(body.project_id, 'project')]);
  if (project === undefined) throw notFound('project');
  if (project.userId !== caller.userId) throw forbidden(OWNER_ONLY);
}

/** @throws 422 naming `user_id` unless the two are connected */
async function lockConnected({ db, caller, body }: Inviting): Promise<number> {
  const userId = parseId(body.user_id);
  const refuse = () => invalid({ user_id: ['Invite somebody you are connected with'] });
  if (userId === null || userId === caller.userId) throw refuse();
  await lockPair(db, caller.userId, userId);
  const { viewerRole } = await getRelation(db, caller, userId);
  if (viewerRole !== 'connection') throw refuse();
  return userId;
}

/**
 * Invites a connection of the owner. Repeated, and while an invitation stands, it is the one that is there; after a no, or after they left, it is a new one.
 * @throws 404, 403, 422, 429
 */
async function invite(inviting: Inviting): Promise<{ row: MemberRow; isNew: boolean }> {
  const { db, changes, caller, body, now, limiter } = inviting;
  const clientId = body.client_id ?? null;
  await requireOwn(inviting);
  // The two people first, like a request to tape, which must not go to a colleague.
  const userId = await lockConnected(inviting);
  const project = await lockProject(db, caller, body.project_id, 'no key update', 'own');
  await requireMayReach(db, caller);
  if (await wasAskedIn(db, project.id, userId)) {
    throw invalid({ user_id: ['You asked them to tape for this project, so they can’t see what others send'] });
  }
  const before = await findMemberOf(db, project.id, userId);
  const isThere = before !== null && (before.state === 'invited' || before.state === 'active');
  if (isThere || (before !== null && clientId !== null && before.clientId === clientId)) {
    return { row: before, isNew: false };
  }
  if (before === null && (await countMembers(db, project.id)) >= MEMBERS_PER_PROJECT) {
    throw unprocessable(`A project can have up to ${MEMBERS_PER_PROJECT} colleagues. Remove one to make room`);
  }
  await limiter.take(LIMIT.invitations, String(caller.userId));
  if (before !== null) await endMember(db, changes, before, null, now);
  const [added] = await db
    .insert(castingMembers)
    .values({ projectId: project.id, userId, role: body.role, clientId, createdAt: now, updatedAt: now })
    .returning();
  const row = { ...added!, project };
  await recordMember(db, changes, row);
  await tell(db, changes, 'project.invited', row, now);
  return { row, isNew: true };
}

/** Inviting colleagues to a project and letting them go, and what the invited person answers. */
export function memberRoutes(app: FastifyInstance): void {
  app.mirror.set('project_member', async (db, ids, userId) =>
    presentMembers(db, await listMembers(db, readsMember(userId), ids.map(Number))),
  );

  writeRoute(app, {
    endpoint: CASTING_CALLS.inviteMember,
    summary: 'Invites a connection to a project; until they accept, they learn of its title and owner alone',
    access: requiredAccount(),
    body: inviteBody,
    responses: { 200: withRecord(memberRecord), 201: withRecord(memberRecord) },
    handler: async ({ body, caller, db, now, changes }) => {
      const { row, isNew } = await invite({ db, changes, caller, body, now, limiter: app.deps.sharedLimiter });
      const answer = { message: 'Invitation sent', data: await presentMember(db, row) };
      return isNew ? created(answer) : ok(answer);
    },
  });

  writeRoute(app, {
    endpoint: CASTING_CALLS.updateMember,
    summary: 'Changes what a colleague may do',
    access: requiredAccount(lockOfOwner),
    params: byId,
    body: memberBody,
    responses: { 200: withRecord(memberRecord) },
    handler: async ({ body, subject, db, now, changes, expected }) => {
      const current = await presentMember(db, subject);
      requireVersion(expected, subject.version, () => current);
      if (subject.state === 'declined' || subject.state === 'left') {
        throw conflictWith('They are not in this project any more', current);
      }
      if (body.role === subject.role) return ok({ message: 'Saved', data: current });
      const row = await changeMember(db, subject, { role: body.role }, now);
      await recordMember(db, changes, row);
      if (row.state === 'active') changes.recordChange(row.userId, 'project', String(row.projectId), null);
      return ok({ message: 'Saved', data: await presentMember(db, row) });
    },
  });

  writeRoute(app, {
    endpoint: CASTING_CALLS.removeMember,
    summary: 'Removes a colleague from a project, or takes an invitation back; their notes stay, without their name',
    access: requiredAccount(lockOfOwner),
    params: byId,
    responses: { 200: messageOnly },
    handler: async ({ subject, db, now, changes }) => {
      await endMember(db, changes, subject, null, now);
      if (subject.state === 'active') await tell(db, changes, 'project.removed', subject, now);
      return ok({ message: 'Removed' });
    },
  });

  writeRoute(app, {
    endpoint: CASTING_CALLS.acceptInvitation,
    summary: 'Accepts an invitation to a project',
    access: requiredAccount(lockOwnPlace),
    params: byId,
    responses: { 200: withRecord(memberRecord) },
    handler: async ({ subject, db, now, changes }) => {
      const current = await presentMember(db, subject);
      if (subject.state === 'left') throw conflictWith('You left this project', current);
      if (subject.state === 'declined') throw conflictWith('You declined this invitation', current);
      if (subject.state === 'active') return ok({ message: 'Accepted', data: current });
      await deleteNotifications(db, changes, { type: 'project.invited', subjectId: subject.id });
      const row = await letIn(db, changes, subject, now);
      return ok({ message: 'Accepted', data: await presentMember(db, row) });
    },
  });

  /** How an invited person or a colleague ends it. */
  const endings = [
    ['declineInvitation', 'Declines an invitation to a project', 'invited', 'declined'],
    ['leaveProject', 'Leaves a project; one’s notes stay, without one’s name', 'active', 'left'],
  ] as const;
  for (const [call, summary, from, to] of endings) {
    writeRoute(app, {
      endpoint: CASTING_CALLS[call],
      summary,
      access: requiredAccount(lockOwnPlace),
      params: byId,
      responses: { 200: withRecord(memberRecord) },
      handler: async ({ subject, db, now, changes }) => {
        const isDone = subject.state === 'declined' || subject.state === 'left';
        if (!isDone && subject.state !== from) {
          const message = from === 'invited' ? 'You are in this project already' : 'You have not accepted yet';
          throw conflictWith(message, await presentMember(db, subject));
        }
        const row = isDone ? subject : await endMember(db, changes, subject, to, now);
        return ok({ message: to === 'left' ? 'You left the project' : 'Declined', data: await presentMember(db, row) });
      },
    });
  }
}
