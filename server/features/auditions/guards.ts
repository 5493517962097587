import * as z from 'zod/mini';
import type { Caller } from '#server/platform/http/caller.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { requireId } from '#server/platform/http/ids.ts';
import type { GuardInput } from '#server/platform/http/route.ts';
import { lockRequest, type RequestRow } from '../casting/rows.ts';

export const byId = z.object({ id: z.string() });

/** Locks an audition of the caller until the commit. @throws 404 */
export async function lockOwnAudition({ db, caller, params }: GuardInput<Caller, { id: string }>): Promise<RequestRow> {
  const row = await lockRequest(db, requireId(params.id, 'audition'));
  if (row?.performerId !== caller.userId) throw notFound('audition');
  return row;
}
