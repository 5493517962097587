import { and, asc, eq, inArray, ne, or, sql, type SQL } from 'drizzle-orm';
import type { Member } from '#contract/records/members.ts';
import { getPersonSummaries } from '#server/platform/access/person-summaries.ts';
import { listMemberReaders, readsRequest } from '#server/platform/access/projects.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import {
  auditionRequests,
  auditionTapes,
  castingMembers,
  castingProjects,
  castingRoles,
  notifications,
  tapeMarks,
} from '#server/platform/db/schema.ts';
import { deleteNotificationsOf } from '../notifications/store.ts';
import { listCasting, type ProjectRow } from './rows.ts';
import { recordShortlistsFor } from './candidate-rows.ts';

/** A colleague with the project. */
export type MemberRow = typeof castingMembers.$inferSelect & { project: ProjectRow };

/** Presents colleagues and invitations. @throws if one of the people is gone, with whom the row would be gone too */
export async function presentMembers(db: Db, rows: readonly MemberRow[]): Promise<Member[]> {
  const summaries = await getPersonSummaries(
    db,
    rows.flatMap(({ userId, project }) => [userId, project.userId]),
  );
  const toPerson = (id: number): Member['user'] => {
    const found = summaries.get(id);
    if (found === undefined) throw new Error('A colleague was not found');
    const { address: _address, ...person } = found;
    return { user_id: String(id), ...person };
  };
  return rows.map((row) => ({
    id: String(row.id),
    client_id: row.clientId,
    project_id: String(row.projectId),
    user: toPerson(row.userId),
    role: row.role,
    state: row.state,
    project: { title: String(row.project.body.title) },
    owner: toPerson(row.project.userId),
    version: row.version,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }));
}

export async function presentMember(db: Db, row: MemberRow): Promise<Member> {
  const [presented] = await presentMembers(db, [row]);
  if (presented === undefined) throw new Error('A colleague was not presented');
  return presented;
}

/** Colleagues that match, oldest first: all, or those with these ids. @param whose may also ask for columns of the project */
export async function listMembers(db: Db, whose: SQL | undefined, ids?: number[]): Promise<MemberRow[]> {
  const rows = await db
    .select({ member: castingMembers, project: castingProjects })
    .from(castingMembers)
    .innerJoin(castingProjects, eq(castingProjects.id, castingMembers.projectId))
    .where(and(whose, ids && inArray(castingMembers.id, ids)))
    .orderBy(asc(castingMembers.id));
  return rows.map(({ member, project }) => ({ ...member, project }));
}

/** A condition: the row is of a project of this person, or their own and has not ended. */
export const isOfPerson = (personId: number): SQL | undefined =>
  or(
    eq(castingProjects.userId, personId),
    and(eq(castingMembers.userId, personId), inArray(castingMembers.state, ['invited', 'active'])),
  );

/** A condition: the person reads this row. Owners read all of a project, colleagues the active ones, and everybody their own until it has ended. */
export const readsMember = (personId: number): SQL | undefined =>
  or(
    isOfPerson(personId),
    and(
      eq(castingMembers.state, 'active'),
      // A row of the same table, so the inner one has another name.
      sql`exists (select 1 from ${castingMembers} as own where own.project_id = ${castingProjects.id}
        and own.user_id = ${personId} and own.state = 'active')`,
    ),
  );

/** Records a row for everybody who reads it. */
export async function recordMember(
  tx: Db,
  changes: ChangeLog,
  row: MemberRow,
  method: 'recordChange' | 'recordDeletion' = 'recordChange',
): Promise<void> {
  for (const person of await listMemberReaders(tx, row, row.project.userId)) {
    changes[method](person, 'project_member', String(row.id), String(row.projectId));
  }
}

/** Writes a locked row. */
export async function changeMember(
  tx: Db,
  row: MemberRow,
  values: Partial<Pick<MemberRow, 'role' | 'state'>>,
  now: Date,
): Promise<MemberRow> {
  const next = { ...values, version: row.version + 1, updatedAt: now };
  await tx.update(castingMembers).set(next).where(eq(castingMembers.id, row.id));
  return { ...row, ...next };
}

type Method = 'recordChange' | 'recordDeletion';

/** Records requests that match, with their tapes and what is thought of them, for one person. */
async function recordRequestsFor(tx: Db, changes: ChangeLog, personId: number, which: SQL | undefined, method: Method) {
  const requests = await tx
    .select({ id: auditionRequests.id, roleId: auditionRequests.roleId })
    .from(auditionRequests)
    .innerJoin(castingRoles, eq(castingRoles.id, auditionRequests.roleId))
    .where(which);
  for (const { id, roleId } of requests) changes[method](personId, 'request', String(id), String(roleId));
  const tapes = await tx
    .select({ id: auditionTapes.id, requestId: auditionTapes.requestId })
    .from(auditionTapes)
    .where(
      inArray(
        auditionTapes.requestId,
        requests.map(({ id }) => id),
      ),
    );
  for (const { id, requestId } of tapes) changes[method](personId, 'tape', String(id), String(requestId));
  const marks = await tx
    .select({ id: tapeMarks.id, tapeId: tapeMarks.tapeId })
    .from(tapeMarks)
    .where(
      inArray(
        tapeMarks.tapeId,
        tapes.map(({ id }) => id),
      ),
    );
  for (const { id, tapeId } of marks) changes[method](personId, 'mark', String(id), String(tapeId));
}

/** Records everything of a project that an active colleague reads, for that colleague: it comes to their devices, or goes from them. */
async function recordWholeProject(tx: Db, changes: ChangeLog, { projectId, userId }: MemberRow, method: Method) {
  changes[method](userId, 'project', String(projectId), null);
  const roles = await tx
    .select({ id: castingRoles.id })
    .from(castingRoles)
    .where(eq(castingRoles.projectId, projectId));
  for (const { id } of roles) changes[method](userId, 'role', String(id), String(projectId));
  await recordShortlistsFor(tx, changes, { projectId, userId }, method);
  await recordRequestsFor(
    tx,
    changes,
    userId,
    and(eq(castingRoles.projectId, projectId), readsRequest(userId)),
    method,
  );
  const active = await listMembers(
    tx,
    and(eq(castingMembers.projectId, projectId), eq(castingMembers.state, 'active')),
  );
  for (const { id } of active) changes[method](userId, 'project_member', String(id), String(projectId));
}

/** Records what somebody thought of tapes of a project for those who still read it: the name of the author comes or goes. */
async function recordMarksBy(tx: Db, changes: ChangeLog, { projectId, userId }: MemberRow): Promise<void> {
  const marks = await tx
    .select({ id: tapeMarks.id, tapeId: tapeMarks.tapeId, request: auditionRequests })
    .from(tapeMarks)
    .innerJoin(auditionTapes, eq(auditionTapes.id, tapeMarks.tapeId))
    .innerJoin(auditionRequests, eq(auditionRequests.id, auditionTapes.requestId))
    .innerJoin(castingRoles, eq(castingRoles.id, auditionRequests.roleId))
    .where(and(eq(castingRoles.projectId, projectId), eq(tapeMarks.userId, userId)));
  for (const { id, tapeId, request } of marks) {
    for (const person of await listCasting(tx, request)) {
      if (person !== userId) changes.recordChange(person, 'mark', String(id), String(tapeId));
    }
  }
}

/** Lets an invited person whose row is locked into the project. */
export async function letIn(tx: Db, changes: ChangeLog, row: MemberRow, now: Date): Promise<MemberRow> {
  const member = await changeMember(tx, row, { state: 'active' }, now);
  await recordWholeProject(tx, changes, member, 'recordChange');
  await recordMember(tx, changes, member);
  await recordMarksBy(tx, changes, member);
  return member;
}

/**
 * Ends what a person whose row is locked reads of the project, and the notifications about it. What they thought of tapes stays with the project.
 * @param end what the owner goes on to read: that they left or declined, or nothing
 */
export async function endMember(
  tx: Db,
  changes: ChangeLog,
  row: MemberRow,
  end: 'left' | 'declined' | null,
  now: Date,
): Promise<MemberRow> {
  const wasActive = row.state === 'active';
  if (wasActive) await recordWholeProject(tx, changes, row, 'recordDeletion');
  await recordMember(tx, changes, row, 'recordDeletion');
  const ended = end === null ? row : await changeMember(tx, row, { state: end }, now);
  if (end === null) await tx.delete(castingMembers).where(eq(castingMembers.id, row.id));
  else await recordMember(tx, changes, ended);
  if (wasActive) await recordMarksBy(tx, changes, row);
  await endNotifications(tx, changes, row);
  return ended;
}

/** Deletes the notifications of a person about a project that they no longer read, or about the invitation to it. */
async function endNotifications(tx: Db, changes: ChangeLog, { id, projectId, userId }: MemberRow): Promise<void> {
  const { type, subjectId } = notifications;
  const requests = tx
    .select({ id: auditionRequests.id })
    .from(auditionRequests)
    .innerJoin(castingRoles, eq(castingRoles.id, auditionRequests.roleId))
    .where(eq(castingRoles.projectId, projectId));
  const which = or(
    and(eq(type, 'project.invited'), eq(subjectId, id)),
    and(eq(type, 'casting.tape_arrived'), inArray(subjectId, requests)),
  );
  await deleteNotificationsOf(tx, changes, userId, which);
}

/** Locks the rows of one person in projects of the other until the commit. */
async function lockMembersBetween(tx: Db, one: number, other: number): Promise<MemberRow[]> {
  const found = await listMembers(
    tx,
    or(
      and(eq(castingMembers.userId, one), eq(castingProjects.userId, other)),
      and(eq(castingMembers.userId, other), eq(castingProjects.userId, one)),
    ),
  );
  return lockMembers(tx, found);
}

async function lockMembers(tx: Db, found: readonly MemberRow[]): Promise<MemberRow[]> {
  const locked = await tx
    .select({ id: castingMembers.id })
    .from(castingMembers)
    .where(
      inArray(
        castingMembers.id,
        found.map(({ id }) => id),
      ),
    )
    .orderBy(asc(castingMembers.id))
    .for('update');
  // Some may have changed, or be gone, before their locks were free.
  return listMembers(
    tx,
    inArray(
      castingMembers.id,
      locked.map(({ id }) => id),
    ),
  );
}

/** Locks a colleague or an invitation until the commit. Null if there is none. */
export async function lockMember(tx: Db, id: number): Promise<MemberRow | null> {
  const [row] = await lockMembers(tx, await listMembers(tx, eq(castingMembers.id, id)));
  return row ?? null;
}

/**
 * Records requests to one of two people in projects in which the other is a colleague, for that colleague. Between a colleague and a performer of
 * whom one has blocked the other, neither sees the other.
 */
async function recordRequestsBetween(tx: Db, changes: ChangeLog, one: number, other: number, method: Method) {
  for (const [colleague, performer] of [[one, other] as const, [other, one] as const]) {
    await lockMembers(
      tx,
      await listMembers(tx, and(eq(castingMembers.userId, colleague), eq(castingMembers.state, 'active'))),
    );
    const which = and(
      eq(auditionRequests.performerId, performer),
      ne(auditionRequests.userId, colleague),
      readsRequest(colleague),
    );
    await recordRequestsFor(tx, changes, colleague, which, method);
  }
}

/** Ends what two people share in projects, before one blocks the other: a colleague of the other is none any more, also if the block is taken back. */
export async function endMembersBetween(
  tx: Db,
  changes: ChangeLog,
  one: number,
  other: number,
  now: Date,
): Promise<void> {
  for (const row of await lockMembersBetween(tx, one, other)) await endMember(tx, changes, row, null, now);
  await recordRequestsBetween(tx, changes, one, other, 'recordDeletion');
}

/** Shows colleagues again what a block that was taken back hid from them. */
export const showRequestsBetween = (tx: Db, changes: ChangeLog, one: number, other: number): Promise<void> =>
  recordRequestsBetween(tx, changes, one, other, 'recordChange');

/** Records for others that the account of a person is deleted: a colleague is gone, and the projects of an owner are. */
export async function recordMembersRemoved(tx: Db, changes: ChangeLog, personId: number): Promise<void> {
  const found = await listMembers(tx, or(eq(castingMembers.userId, personId), eq(castingProjects.userId, personId)));
  for (const row of await lockMembers(tx, found)) {
    await recordMember(tx, changes, row, 'recordDeletion');
    if (row.state !== 'active') continue;
    if (row.userId === personId) {
      // What they thought stays with the project, where it names nobody.
      await recordMarksBy(tx, changes, row);
    } else await recordWholeProject(tx, changes, row, 'recordDeletion');
  }
}

/** Ends a project for everybody in it, before it is deleted. */
export async function endProject(tx: Db, changes: ChangeLog, projectId: number, now: Date): Promise<void> {
  const rows = await lockMembers(tx, await listMembers(tx, eq(castingMembers.projectId, projectId)));
  for (const row of rows) await endMember(tx, changes, row, null, now);
}

/** Records the invitations to a project, which name it, after its title has changed; the rows of colleagues name it too. */
export async function recordMembersOf(tx: Db, changes: ChangeLog, projectId: number): Promise<void> {
  const rows = await listMembers(tx, eq(castingMembers.projectId, projectId));
  for (const row of rows) await recordMember(tx, changes, row);
}

/** Whether the person was asked to tape for the project, and so must not read what is thought of tapes in it. */
export async function wasAskedIn(tx: Db, projectId: number, personId: number): Promise<boolean> {
  const found = await tx
    .select({ id: auditionRequests.id })
    .from(auditionRequests)
    .innerJoin(castingRoles, eq(castingRoles.id, auditionRequests.roleId))
    .where(and(eq(castingRoles.projectId, projectId), eq(auditionRequests.performerId, personId)))
    .limit(1);
  return found.length > 0;
}

/** The row of a person in a project, in any state. Null if there is none. */
export async function findMemberOf(db: Db, projectId: number, personId: number): Promise<MemberRow | null> {
  const [row] = await listMembers(
    db,
    and(eq(castingMembers.projectId, projectId), eq(castingMembers.userId, personId)),
  );
  return row ?? null;
}

export const countMembers = (db: Db, projectId: number): Promise<number> =>
  db.$count(castingMembers, eq(castingMembers.projectId, projectId));
