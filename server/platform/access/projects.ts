import { and, asc, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { MemberRole } from '#contract/records/members.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { auditionRequests, castingMembers, castingRoles } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { forbidden, notFound } from '#server/platform/http/errors.ts';
import { findBlocked, notBlocked } from './viewer-role.ts';

/**
 * What somebody may do in a project. `read`: watch its tapes and read everything of it. `rate`: also say what they think of tapes. `own`: everything
 * that performers learn of, and everything that costs or shares something.
 */
export type ProjectRight = MemberRole | 'own';

const RANK: Record<ProjectRight, number> = { read: 0, rate: 1, own: 2 };

export const OWNER_ONLY = 'Only the owner of this project can do that';

/** A project, by its id and owner. */
interface Whose {
  projectId: number;
  ownerId: number;
}

/**
 * Requires a right in a project until the commit: whoever removes the caller waits for it.
 * @param noun what they ask for, in the words of the user: 'role'
 * @throws 404 if they may not know of the project, 403 if they may do less in it
 */
export async function requireRight(
  tx: Db,
  { projectId, ownerId }: Whose,
  caller: Pick<Caller, 'userId'>,
  needed: ProjectRight,
  noun: string,
): Promise<void> {
  if (caller.userId === ownerId) return;
  const { userId, role, state } = castingMembers;
  const [member] = await tx
    .select({ role, state })
    .from(castingMembers)
    .where(and(eq(castingMembers.projectId, projectId), eq(userId, caller.userId)))
    .for('share');
  if (member?.state !== 'active') throw notFound(noun);
  if (RANK[member.role] >= RANK[needed]) return;
  throw forbidden(needed === 'own' ? OWNER_ONLY : 'You can watch in this project, but not rate');
}

/** What a person may do in these projects, all of which they read, by id. */
export async function getRights(
  db: Db,
  projects: readonly { id: number; userId: number }[],
  personId: number,
): Promise<Map<number, ProjectRight>> {
  const { projectId, userId, role } = castingMembers;
  const others = projects.filter((project) => project.userId !== personId).map(({ id }) => id);
  const rows =
    others.length === 0
      ? []
      : await db
          .select({ projectId, role })
          .from(castingMembers)
          .where(and(eq(userId, personId), inArray(projectId, others)));
  const held = new Map(rows.map((row) => [row.projectId, row.role]));
  return new Map(projects.map(({ id }) => [id, held.get(id) ?? 'own']));
}

/** A condition: the person owns the project, or is an active colleague in it. */
export const readsProject = (personId: number, projectId: PgColumn, ownerId: PgColumn): SQL =>
  sql`(${ownerId} = ${personId} or exists (select 1 from ${castingMembers} where ${castingMembers.projectId} = ${projectId}
    and ${castingMembers.userId} = ${personId} and ${castingMembers.state} = 'active'))`;

/**
 * A condition on requests to audition: the person sent it, or is an active colleague in its project. A colleague and a performer of whom one has
 * blocked the other do not see each other.
 */
export const readsRequest = (personId: number): SQL | undefined =>
  or(
    eq(auditionRequests.userId, personId),
    and(
      sql`exists (select 1 from ${castingMembers} join ${castingRoles} on ${castingRoles.projectId} = ${castingMembers.projectId}
        where ${castingRoles.id} = ${auditionRequests.roleId} and ${castingMembers.userId} = ${personId}
        and ${castingMembers.state} = 'active')`,
      notBlocked(personId, auditionRequests.performerId),
    ),
  );

/** Everybody who reads the row of a colleague: the owner, the colleague until it has ended, and, of an active one, the other colleagues. */
export async function listMemberReaders(
  tx: Db,
  { projectId, userId, state }: Pick<typeof castingMembers.$inferSelect, 'projectId' | 'userId' | 'state'>,
  ownerId: number,
): Promise<number[]> {
  const others = state === 'active' ? await lockColleagues(tx, { projectId }) : [];
  const self = state === 'invited' || state === 'active' ? [userId] : [];
  return [...new Set([ownerId, ...self, ...others])];
}

type Within = { projectId: number } | { roleId: number };

/**
 * The active colleagues of a project or of the project of a role. Their rows are locked until the commit, also those of people who are invited: whoever
 * accepts at this moment waits, and then finds what this transaction writes.
 */
export async function lockColleagues(tx: Db, of: Within): Promise<number[]> {
  const { id, userId, projectId, state } = castingMembers;
  const projectOf = (roleId: number) =>
    tx.select({ id: castingRoles.projectId }).from(castingRoles).where(eq(castingRoles.id, roleId));
  const members = await tx
    .select({ userId, state })
    .from(castingMembers)
    .where(eq(projectId, 'roleId' in of ? projectOf(of.roleId) : of.projectId))
    .orderBy(asc(id))
    .for('share');
  return members.filter((member) => member.state === 'active').map((member) => member.userId);
}

/** Like `lockColleagues`, for a request to audition: without those of whom the performer must not know. */
export async function lockColleaguesOfRequest(
  tx: Db,
  { roleId, performerId }: { roleId: number; performerId: number | null },
): Promise<number[]> {
  const colleagues = await lockColleagues(tx, { roleId });
  if (colleagues.length === 0 || performerId === null) return colleagues;
  // Only now: a block that was taken back while this waited for the locks counts no more.
  const blocked = await findBlocked(tx, performerId, colleagues);
  return colleagues.filter((each) => !blocked.has(each));
}
