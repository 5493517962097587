import { and, asc, eq, inArray, ne, type SQL } from 'drizzle-orm';
import type { Candidate } from '#contract/records/shortlist.ts';
import { readsProject } from '#server/platform/access/projects.ts';
import { listCandidateReaders } from '#server/platform/access/shortlist-readers.ts';
import { notBlocked } from '#server/platform/access/viewer-role.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { castingCandidates, castingRoles, profiles } from '#server/platform/db/schema.ts';
import { getPerformers } from './present.ts';
import type { ProjectRow, RoleRow } from './rows.ts';

export type CandidateRow = typeof castingCandidates.$inferSelect;

/** A candidate, with whose shortlist it is on. */
export interface Listed {
  candidate: CandidateRow;
  projectId: number;
  /** The owner of the project. */
  ownerId: number;
  /** Whose profile it is. */
  performerId: number;
}

const listWhere = (db: Db, where: SQL | undefined): Promise<Listed[]> =>
  db
    .select({
      candidate: castingCandidates,
      projectId: castingRoles.projectId,
      ownerId: castingRoles.userId,
      performerId: profiles.userId,
    })
    .from(castingCandidates)
    .innerJoin(castingRoles, eq(castingRoles.id, castingCandidates.roleId))
    .innerJoin(profiles, eq(profiles.id, castingCandidates.profileId))
    .where(where)
    .orderBy(asc(castingCandidates.id));

/** A condition on roles: the person reads the shortlist. */
export const readsShortlist = (personId: number): SQL =>
  readsProject(personId, castingRoles.projectId, castingRoles.userId);

/**
 * The candidates that somebody reads on these shortlists, oldest first: all, or those with these ids. Somebody who has blocked the reader, or whom the
 * reader has blocked, is hidden until the block is taken back. Nobody reads whether they are a candidate themselves.
 */
export const listCandidates = (db: Db, which: SQL, readerId: number, ids?: number[]): Promise<Listed[]> =>
  listWhere(
    db,
    and(
      which,
      ne(profiles.userId, readerId),
      notBlocked(readerId, profiles.userId),
      ids && inArray(castingCandidates.id, ids),
    ),
  );

/** The candidate by this profile, also one who is hidden. */
export async function findCandidate(db: Db, roleId: number, profileId: number): Promise<CandidateRow | null> {
  const [found] = await db
    .select()
    .from(castingCandidates)
    .where(and(eq(castingCandidates.roleId, roleId), eq(castingCandidates.profileId, profileId)));
  return found ?? null;
}

export const countCandidates = (db: Db, roleId: number): Promise<number> =>
  db.$count(castingCandidates, eq(castingCandidates.roleId, roleId));

type Method = 'recordChange' | 'recordDeletion';

/** Records a candidate who was added, moved or removed, for everybody who reads the shortlist. The performer is told nothing. */
export async function recordCandidate(
  tx: Db,
  changes: ChangeLog,
  { candidate: { id, roleId }, ownerId, performerId }: Omit<Listed, 'projectId'>,
  method: Method = 'recordChange',
): Promise<void> {
  for (const reader of await listCandidateReaders(tx, { roleId, ownerId, performerId })) {
    changes[method](reader, 'candidate', String(id), String(roleId));
  }
}

/** Records the shortlists of a project for one person who comes to read them, or reads them no more. */
export async function recordShortlistsFor(
  tx: Db,
  changes: ChangeLog,
  { projectId, userId }: { projectId: number; userId: number },
  method: Method,
): Promise<void> {
  const found = await listCandidates(tx, eq(castingRoles.projectId, projectId), userId);
  for (const { candidate } of found) {
    changes[method](userId, 'candidate', String(candidate.id), String(candidate.roleId));
  }
}

/** Records for its owner that the shortlists of a project are deleted with it. Nobody else reads them any more. Call it before. */
export const recordShortlistsOfProjectRemoved = (tx: Db, changes: ChangeLog, { id, userId }: ProjectRow) =>
  recordShortlistsFor(tx, changes, { projectId: id, userId }, 'recordDeletion');

/** Records that the shortlist of a role is deleted with it. Call it before. */
export async function recordShortlistOfRoleRemoved(tx: Db, changes: ChangeLog, { id }: RoleRow): Promise<void> {
  for (const each of await listWhere(tx, eq(castingRoles.id, id))) {
    await recordCandidate(tx, changes, each, 'recordDeletion');
  }
}

/** Records for others that a person is deleted, and so leaves their shortlists. Call it before. */
export async function recordCandidatesRemoved(tx: Db, changes: ChangeLog, personId: number): Promise<void> {
  for (const each of await listWhere(tx, eq(profiles.userId, personId))) {
    await recordCandidate(tx, changes, each, 'recordDeletion');
  }
}

/** Records that two people are hidden on the shortlists that the other reads, or shown there again. */
export async function recordCandidatesBetween(tx: Db, changes: ChangeLog, one: number, other: number): Promise<void> {
  for (const [reader, performer] of [[one, other] as const, [other, one] as const]) {
    for (const { candidate } of await listWhere(tx, and(readsShortlist(reader), eq(profiles.userId, performer)))) {
      changes.recordChange(reader, 'candidate', String(candidate.id), String(candidate.roleId));
    }
  }
}

/** Presents candidates to the side that casts. */
export async function presentCandidates(db: Db, rows: readonly CandidateRow[]): Promise<Candidate[]> {
  const performers = await getPerformers(
    db,
    rows.map(({ profileId }) => profileId),
  );
  return rows.flatMap(({ id, clientId, version, createdAt, updatedAt, roleId, profileId, column, position }) => {
    const performer = performers.get(profileId);
    if (performer === undefined) return [];
    return {
      id: String(id),
      client_id: clientId,
      version,
      created_at: createdAt.toISOString(),
      updated_at: updatedAt.toISOString(),
      role_id: String(roleId),
      column,
      position,
      performer,
    };
  });
}

export async function presentCandidate(db: Db, row: CandidateRow): Promise<Candidate> {
  const [presented] = await presentCandidates(db, [row]);
  if (presented === undefined) throw new Error('A candidate was not presented');
  return presented;
}

type NewCandidate = Pick<CandidateRow, 'roleId' | 'profileId' | 'column' | 'position' | 'clientId' | 'createdAt'>;

/** Adds a candidate to a locked role. */
export async function addCandidate(tx: Db, row: NewCandidate): Promise<CandidateRow> {
  const [added] = await tx
    .insert(castingCandidates)
    .values({ ...row, updatedAt: row.createdAt })
    .returning();
  return added!;
}

/** Writes where a locked candidate stands. */
export async function moveCandidate(
  tx: Db,
  row: CandidateRow,
  place: Pick<CandidateRow, 'column' | 'position'>,
  now: Date,
): Promise<CandidateRow> {
  const next = { ...place, version: row.version + 1, updatedAt: now };
  await tx.update(castingCandidates).set(next).where(eq(castingCandidates.id, row.id));
  return { ...row, ...next };
}

export async function removeCandidate(tx: Db, { id }: CandidateRow): Promise<void> {
  await tx.delete(castingCandidates).where(eq(castingCandidates.id, id));
}

/** Writes the columns of a locked role. Its performers read nothing of it. */
export async function writeColumns(tx: Db, role: RoleRow, columns: RoleRow['columns'], now: Date): Promise<RoleRow> {
  const next = { columns, version: role.version + 1, updatedAt: now };
  await tx.update(castingRoles).set(next).where(eq(castingRoles.id, role.id));
  return { ...role, ...next };
}
