import { and, asc, eq, inArray, type SQL } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { auditionRequests, castingProjects, castingRoles } from '#server/platform/db/schema.ts';
import type { ProjectRow, RoleRow } from './rows.ts';

type NewRow = Pick<ProjectRow, 'userId' | 'body' | 'clientId' | 'createdAt'>;

/** Finds the project that this person created under a client id. */
export async function findProjectByClientId(db: Db, userId: number, clientId: string): Promise<ProjectRow | null> {
  const [found] = await db
    .select()
    .from(castingProjects)
    .where(and(eq(castingProjects.userId, userId), eq(castingProjects.clientId, clientId)));
  return found ?? null;
}

/** Finds the role that this person created under a client id, in any project. */
export async function findRoleByClientId(db: Db, userId: number, clientId: string): Promise<RoleRow | null> {
  const [found] = await db
    .select()
    .from(castingRoles)
    .where(and(eq(castingRoles.userId, userId), eq(castingRoles.clientId, clientId)));
  return found ?? null;
}

/** @throws a unique violation, upon which the write starts again, if the client id was used at the same moment */
export async function addProject(tx: Db, row: NewRow): Promise<ProjectRow> {
  const [added] = await tx
    .insert(castingProjects)
    .values({ ...row, updatedAt: row.createdAt })
    .returning();
  return added!;
}

/** @throws like `addProject` */
export async function addRole(tx: Db, row: NewRow & Pick<RoleRow, 'projectId'>): Promise<RoleRow> {
  const [added] = await tx
    .insert(castingRoles)
    .values({ ...row, updatedAt: row.createdAt })
    .returning();
  return added!;
}

type Values<Row extends ProjectRow | RoleRow> = Partial<Pick<Row, 'body' | 'status'>>;

/** Writes a locked project. */
export async function changeProject(
  tx: Db,
  row: ProjectRow,
  values: Values<ProjectRow>,
  now: Date,
): Promise<ProjectRow> {
  const next = { ...values, version: row.version + 1, updatedAt: now };
  await tx.update(castingProjects).set(next).where(eq(castingProjects.id, row.id));
  return { ...row, ...next };
}

/** Since when a role is not open. Whether it is cast or closed by now, tapes that were finished before are accepted. */
function getEnd(row: RoleRow, status: RoleRow['status'], now: Date): Date | null {
  if (status === 'open') return null;
  return row.endedAt ?? now;
}

/** Writes a locked role. */
export async function changeRole(
  tx: Db,
  row: RoleRow,
  values: Values<RoleRow> & Partial<Pick<RoleRow, 'othersText'>>,
  now: Date,
): Promise<RoleRow> {
  const endedAt = getEnd(row, values.status ?? row.status, now);
  const next = { ...values, endedAt, version: row.version + 1, updatedAt: now };
  await tx.update(castingRoles).set(next).where(eq(castingRoles.id, row.id));
  return { ...row, ...next };
}

export const countOpenProjects = async (db: Db, userId: number): Promise<number> =>
  db.$count(castingProjects, and(eq(castingProjects.userId, userId), eq(castingProjects.status, 'open')));

export const countRoles = async (db: Db, projectId: number): Promise<number> =>
  db.$count(castingRoles, eq(castingRoles.projectId, projectId));

/** Whether anybody was asked for a role of the project, or for the role. */
export async function wasAnybodyAsked(db: Db, of: { projectId: number } | { roleId: number }): Promise<boolean> {
  const found = await db
    .select({ id: auditionRequests.id })
    .from(auditionRequests)
    .innerJoin(castingRoles, eq(castingRoles.id, auditionRequests.roleId))
    .where('roleId' in of ? eq(castingRoles.id, of.roleId) : eq(castingRoles.projectId, of.projectId))
    .limit(1);
  return found.length > 0;
}

/** Deletes a project with its roles. @returns the ids of the roles */
export async function removeProject(tx: Db, id: number): Promise<number[]> {
  const roles = await tx.delete(castingRoles).where(eq(castingRoles.projectId, id)).returning({ id: castingRoles.id });
  await tx.delete(castingProjects).where(eq(castingProjects.id, id));
  return roles.map((role) => role.id);
}

export async function removeRole(tx: Db, id: number): Promise<void> {
  await tx.delete(castingRoles).where(eq(castingRoles.id, id));
}

/** The projects that match, oldest first: all, or those with these ids. */
export const listProjects = (db: Db, whose: SQL, ids?: number[]): Promise<ProjectRow[]> =>
  db
    .select()
    .from(castingProjects)
    .where(and(whose, ids && inArray(castingProjects.id, ids)))
    .orderBy(asc(castingProjects.id));

/** The roles that match, oldest first: all, or those with these ids. */
export const listRoles = (db: Db, whose: SQL, ids?: number[]): Promise<RoleRow[]> =>
  db
    .select()
    .from(castingRoles)
    .where(and(whose, ids && inArray(castingRoles.id, ids)))
    .orderBy(asc(castingRoles.id));
