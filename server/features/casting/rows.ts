import { and, asc, eq, inArray, isNotNull, or, sql, type SQL } from 'drizzle-orm';
import type { NotificationType } from '#contract/records/notifications.ts';
import { lockColleagues, lockColleaguesOfRequest } from '#server/platform/access/projects.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { auditionRequests, castingProjects, castingRoles, conversations } from '#server/platform/db/schema.ts';
import { deleteNotifications, getPreview, notify } from '../notifications/store.ts';
import { recordTapesRemoved, removeTapes } from './tape-rows.ts';

export type ProjectRow = typeof castingProjects.$inferSelect;
export type RoleRow = typeof castingRoles.$inferSelect;
export type RequestRow = typeof auditionRequests.$inferSelect;

/** The role of a request with its project. */
export interface Part {
  role: RoleRow;
  project: ProjectRow;
}

/** Roles with their projects, by the id of the role. */
export async function getParts(db: Db, roleIds: readonly number[]): Promise<Map<number, Part>> {
  if (roleIds.length === 0) return new Map();
  const rows = await db
    .select({ role: castingRoles, project: castingProjects })
    .from(castingRoles)
    .innerJoin(castingProjects, eq(castingProjects.id, castingRoles.projectId))
    .where(inArray(castingRoles.id, [...new Set(roleIds)]));
  return new Map(rows.map((each) => [each.role.id, each]));
}

export async function getPart(db: Db, roleId: number): Promise<Part> {
  const part = (await getParts(db, [roleId])).get(roleId);
  if (part === undefined) throw new Error('A request has lost its role');
  return part;
}

/** Locks a request until the commit. */
export async function lockRequest(tx: Db, id: number): Promise<RequestRow | null> {
  const [row] = await tx.select().from(auditionRequests).where(eq(auditionRequests.id, id)).for('no key update');
  return row ?? null;
}

type Sides = Pick<RequestRow, 'userId' | 'roleId' | 'performerId'>;

/** The side that casts, as far as it reads a request: the owner and colleagues. */
export const listCasting = async (tx: Db, request: Sides): Promise<number[]> => [
  request.userId,
  ...(await lockColleaguesOfRequest(tx, request)),
];

/** Records a changed request for both sides. */
export async function recordRequest(tx: Db, changes: ChangeLog, row: Sides & { id: number }): Promise<void> {
  const { id, roleId, performerId } = row;
  for (const person of await listCasting(tx, row)) changes.recordChange(person, 'request', String(id), String(roleId));
  if (performerId !== null) changes.recordChange(performerId, 'audition', String(id), null);
}

/** Writes a locked request and records it for both sides. */
export async function changeRequest(
  tx: Db,
  changes: ChangeLog,
  row: RequestRow,
  values: Partial<RequestRow>,
  now: Date,
): Promise<RequestRow> {
  const next = { ...values, version: row.version + 1, updatedAt: now };
  await tx.update(auditionRequests).set(next).where(eq(auditionRequests.id, row.id));
  const changed = { ...row, ...next };
  await recordRequest(tx, changes, changed);
  // An end of the request decides until when the two write to each other.
  if (values.answers || values.withdrawnAt) await recordConversations(tx, changes, [row.id]);
  return changed;
}

/** Records a changed role for the side that casts. */
export async function recordRole(tx: Db, changes: ChangeLog, { id, userId, projectId }: RoleRow): Promise<void> {
  for (const person of [userId, ...(await lockColleagues(tx, { projectId }))]) {
    changes.recordChange(person, 'role', String(id), String(projectId));
  }
}

/** Records the auditions of a changed project or role for the performers, who read parts of both. */
export async function recordAuditions(
  tx: Db,
  changes: ChangeLog,
  of: { projectId: number } | { roleId: number },
): Promise<void> {
  const rows = await tx
    .select({ id: auditionRequests.id, performerId: auditionRequests.performerId })
    .from(auditionRequests)
    .innerJoin(castingRoles, eq(castingRoles.id, auditionRequests.roleId))
    .where('roleId' in of ? eq(castingRoles.id, of.roleId) : eq(castingRoles.projectId, of.projectId));
  for (const { id, performerId } of rows) {
    if (performerId !== null) changes.recordChange(performerId, 'audition', String(id), null);
  }
  await recordConversations(
    tx,
    changes,
    rows.map(({ id }) => id),
  );
}

/** Records the conversations about these requests for both people, since they name the role and say until when they are open. */
async function recordConversations(tx: Db, changes: ChangeLog, requestIds: number[]): Promise<void> {
  const rows = await tx.select().from(conversations).where(inArray(conversations.requestId, requestIds));
  for (const { id, firstId, secondId } of rows) {
    for (const userId of [firstId, secondId]) changes.recordChange(userId, 'conversation', String(id), null);
  }
}

/** Names a part in a notification: 'Naseem, The Salt Road'. */
const namePart = ({ role, project }: Part): string =>
  getPreview(`${String(role.body.name)}, ${String(project.body.title)}`);

/** Tells the performer what the owner did. */
export async function tellPerformer(
  tx: Db,
  changes: ChangeLog,
  type: NotificationType,
  { request, part, now }: { request: RequestRow; part: Part; now: Date },
): Promise<void> {
  const { id, userId: actorId, performerId } = request;
  if (performerId === null) return;
  const data = { audition_id: String(id), text: namePart(part) };
  await notify(tx, changes, { userId: performerId, actorId, type, subjectId: id, data }, now);
}

interface News {
  request: RequestRow;
  part: Part;
  now: Date;
}

async function tell(tx: Db, changes: ChangeLog, type: NotificationType, people: number[], news: News): Promise<void> {
  const { request, part, now } = news;
  const { id, roleId, performerId: actorId } = request;
  if (actorId === null) return;
  const data = { request_id: String(id), role_id: String(roleId), text: namePart(part) };
  for (const userId of people) await notify(tx, changes, { userId, actorId, type, subjectId: id, data }, now);
}

/** Tells the owner what the performer did. */
export const tellOwner = (tx: Db, changes: ChangeLog, type: NotificationType, news: News): Promise<void> =>
  tell(tx, changes, type, [news.request.userId], news);

/** Tells the owner and colleagues that there is a tape to watch. */
export const tellOfTape = async (tx: Db, changes: ChangeLog, news: News): Promise<void> =>
  tell(tx, changes, 'casting.tape_arrived', await listCasting(tx, news.request), news);

/** All requests of a role, locked until the commit in the order that prevents deadlocks. */
export const lockRequestsOfRole = (tx: Db, roleId: number): Promise<RequestRow[]> =>
  tx
    .select()
    .from(auditionRequests)
    .where(eq(auditionRequests.roleId, roleId))
    .orderBy(asc(auditionRequests.id))
    .for('no key update');

/** The requests that match, oldest first: all, or those with these ids. */
export const listRequests = (db: Db, whose: SQL | undefined, ids?: number[]): Promise<RequestRow[]> =>
  db
    .select()
    .from(auditionRequests)
    .where(and(whose, ids && inArray(auditionRequests.id, ids)))
    .orderBy(asc(auditionRequests.id));

/**
 * Ends the requests between two people when one blocks the other: the performer loses them, the owner no longer learns whom they asked, and
 * tapes are deleted. This holds also after the block is taken back.
 */
export async function endRequestsBetween(
  tx: Db,
  changes: ChangeLog,
  one: number,
  other: number,
  now: Date,
): Promise<void> {
  const { id, userId, performerId, roleId, version } = auditionRequests;
  const between = await tx
    .select({ id, userId, performerId, roleId })
    .from(auditionRequests)
    .where(or(and(eq(performerId, one), eq(userId, other)), and(eq(performerId, other), eq(userId, one))))
    .orderBy(asc(id))
    .for('no key update');
  if (between.length === 0) return;
  await removeTapes(
    tx,
    changes,
    between.map((each) => each.id),
  );
  for (const { id: subjectId } of between) {
    // What colleagues were told names the performer.
    await deleteNotifications(tx, changes, { type: 'casting.tape_arrived', subjectId });
  }
  await tx
    .update(auditionRequests)
    .set({ performerId: null, profileId: null, version: sql`${version} + 1`, updatedAt: now })
    .where(
      inArray(
        id,
        between.map((each) => each.id),
      ),
    );
  for (const each of between) {
    // Colleagues of whom the performer must not know read it again: it names nobody now.
    await recordRequest(tx, changes, { ...each, performerId: null });
    if (each.performerId !== null) changes.recordDeletion(each.performerId, 'audition', String(each.id), null);
  }
}

/** Records for others that the requests and tapes of a person are deleted with their account. */
export async function recordRequestsRemoved(tx: Db, changes: ChangeLog, personId: number): Promise<void> {
  const { id, userId, performerId, roleId } = auditionRequests;
  const rows = await tx
    .select({ id, userId, performerId, roleId })
    .from(auditionRequests)
    .where(or(and(eq(userId, personId), isNotNull(performerId)), eq(performerId, personId)));
  for (const row of rows) {
    if (row.userId !== personId) {
      for (const person of await listCasting(tx, row)) {
        changes.recordDeletion(person, 'request', String(row.id), String(row.roleId));
      }
    } else if (row.performerId !== null) {
      changes.recordDeletion(row.performerId, 'audition', String(row.id), null);
    }
  }
  await recordTapesRemoved(tx, changes, personId);
}
