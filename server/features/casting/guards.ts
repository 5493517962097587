import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { readsRequest, requireRight, type ProjectRight } from '#server/platform/access/projects.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { castingProjects, castingRoles } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { requireId } from '#server/platform/http/ids.ts';
import type { GuardInput } from '#server/platform/http/route.ts';
import { getPart, listRequests, lockRequest, type ProjectRow, type RequestRow, type RoleRow } from './rows.ts';
import { findTape, type TapeRow } from './tape-rows.ts';

export const byId = z.object({ id: z.string() });

type ByIdInput = GuardInput<Caller, { id: string }>;

/** How strongly a row is locked: `share` lets others do the same at this moment, but nobody change it. */
type Lock = 'share' | 'no key update' | 'update';

/** Locks a project in which the caller has this right until the commit. @throws 404, 403 */
export async function lockProject(
  tx: Db,
  caller: Caller,
  idText: string,
  lock: Lock,
  right: ProjectRight,
): Promise<ProjectRow> {
  const id = requireId(idText, 'project');
  const [row] = await tx.select().from(castingProjects).where(eq(castingProjects.id, id)).for(lock);
  if (row === undefined) throw notFound('project');
  await requireRight(tx, { projectId: row.id, ownerId: row.userId }, caller, right, 'project');
  return row;
}

/** Locks a role in whose project the caller has this right until the commit. @throws 404, 403 */
export async function lockRole(
  tx: Db,
  caller: Caller,
  idText: string,
  lock: Lock,
  right: ProjectRight,
): Promise<RoleRow> {
  const id = requireId(idText, 'role');
  const [row] = await tx.select().from(castingRoles).where(eq(castingRoles.id, id)).for(lock);
  if (row === undefined) throw notFound('role');
  await requireRight(tx, { projectId: row.projectId, ownerId: row.userId }, caller, right, 'role');
  return row;
}

/** For routes that may delete the record, which nothing must refer to by then. */
export const lockOwnProject = ({ db, caller, params }: ByIdInput): Promise<ProjectRow> =>
  lockProject(db, caller, params.id, 'update', 'own');
export const lockOwnRole = ({ db, caller, params }: ByIdInput): Promise<RoleRow> =>
  lockRole(db, caller, params.id, 'update', 'own');

/**
 * Requires a right in the project of a request. Colleagues do not learn of requests to people with whom there is a block.
 * @throws 404, 403
 */
async function requireRightTo(
  tx: Db,
  caller: Caller,
  row: RequestRow,
  right: ProjectRight,
  noun: string,
): Promise<void> {
  if (row.userId === caller.userId) return;
  const [readable] = await listRequests(tx, readsRequest(caller.userId), [row.id]);
  if (readable === undefined) throw notFound(noun);
  const { project } = await getPart(tx, row.roleId);
  await requireRight(tx, { projectId: project.id, ownerId: project.userId }, caller, right, noun);
}

/** Locks a request that the caller sent until the commit. @throws 404, or 403 for a colleague in its project */
export async function lockOwnRequest({ db, caller, params }: ByIdInput): Promise<RequestRow> {
  const row = await lockRequest(db, requireId(params.id, 'request'));
  if (row === null) throw notFound('request');
  await requireRightTo(db, caller, row, 'own', 'request');
  return row;
}

/** A tape and its request, which is locked until the commit. */
export interface LockedTape {
  tape: TapeRow;
  request: RequestRow;
}

/** Locks the request of a tape until the commit. Whoever writes a tape holds this lock. Null if there is no such tape. */
export async function lockTape(tx: Db, idText: string): Promise<LockedTape | null> {
  const id = requireId(idText, 'tape');
  const known = await findTape(tx, id);
  const request = known && (await lockRequest(tx, known.requestId));
  // It may have changed, or been deleted, before the lock was free.
  const tape = request && (await findTape(tx, id));
  return request && tape && { tape, request };
}

/** A guard that locks a tape that was sent to a project in which the caller has this right. It throws 404 or 403. */
export const lockReceivedTape =
  (right: ProjectRight) =>
  async ({ db, caller, params }: ByIdInput): Promise<LockedTape> => {
    const found = await lockTape(db, params.id);
    if (found === null) throw notFound('tape');
    await requireRightTo(db, caller, found.request, right, 'tape');
    return found;
  };
