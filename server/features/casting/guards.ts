import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '#server/platform/db/connect.ts';
import { castingProjects, castingRoles } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { requireId } from '#server/platform/http/ids.ts';
import type { GuardInput } from '#server/platform/http/route.ts';
import { lockRequest, type ProjectRow, type RequestRow, type RoleRow } from './rows.ts';
import { findTape, type TapeRow } from './tape-rows.ts';

export const byId = z.object({ id: z.string() });

type OwnInput = GuardInput<Caller, { id: string }>;

/** How strongly a row is locked: `share` lets others do the same at this moment, but nobody change it. */
type Lock = 'share' | 'no key update' | 'update';

/** Locks a project of the caller until the commit. @throws 404 */
export async function lockProject(tx: Db, caller: Caller, idText: string, lock: Lock): Promise<ProjectRow> {
  const id = requireId(idText, 'project');
  const [row] = await tx.select().from(castingProjects).where(eq(castingProjects.id, id)).for(lock);
  if (row?.userId !== caller.userId) throw notFound('project');
  return row;
}

/** Locks a role of the caller until the commit. @throws 404 */
export async function lockRole(tx: Db, caller: Caller, idText: string, lock: Lock): Promise<RoleRow> {
  const id = requireId(idText, 'role');
  const [row] = await tx.select().from(castingRoles).where(eq(castingRoles.id, id)).for(lock);
  if (row?.userId !== caller.userId) throw notFound('role');
  return row;
}

/** For routes that may delete the record, which nothing must refer to by then. */
export const lockOwnProject = ({ db, caller, params }: OwnInput): Promise<ProjectRow> =>
  lockProject(db, caller, params.id, 'update');
export const lockOwnRole = ({ db, caller, params }: OwnInput): Promise<RoleRow> =>
  lockRole(db, caller, params.id, 'update');

/** Locks a request that the caller sent until the commit. @throws 404 */
export async function lockOwnRequest({ db, caller, params }: OwnInput): Promise<RequestRow> {
  const row = await lockRequest(db, requireId(params.id, 'request'));
  if (row?.userId !== caller.userId) throw notFound('request');
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

/** Locks a tape that was sent to the caller. @throws 404 */
export async function lockReceivedTape({ db, caller, params }: OwnInput): Promise<LockedTape> {
  const found = await lockTape(db, params.id);
  if (found?.request.userId !== caller.userId) throw notFound('tape');
  return found;
}
