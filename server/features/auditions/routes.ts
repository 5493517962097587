import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { AUDITION_CALLS } from '#contract/casting-calls.ts';
import { isOver } from '#contract/casting/state.ts';
import { auditionRecord, confirmBody, declineBody, seenBody } from '#contract/records/casting.ts';
import { requireMayReach } from '#server/platform/access/withholding.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { auditionRequests, users } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { conflictWith, notFound } from '#server/platform/http/errors.ts';
import { requireId } from '#server/platform/http/ids.ts';
import { ok } from '#server/platform/http/response.ts';
import { requiredAccount, writeRoute, type GuardInput } from '#server/platform/http/route.ts';
import { withRecord } from '#server/platform/http/schemas.ts';
import { changeRequest, getPart, listRequests, lockRequest, tellOwner, type RequestRow } from '../casting/rows.ts';
import { deleteNotifications, markRead } from '../notifications/store.ts';
import type { Uploads } from '../uploads/open.ts';
import { presentAudition, presentAuditions } from './present.ts';
import { decide, readTime } from './say.ts';
import { tapeRoutes } from './tapes.ts';

const byId = z.object({ id: z.string() });
const NEWS_OF_IT = ['audition.requested' as const, 'audition.changed' as const, 'audition.reminder' as const];

/** Locks an audition of the caller until the commit. @throws 404 */
async function lockOwnAudition({ db, caller, params }: GuardInput<Caller, { id: string }>): Promise<RequestRow> {
  const row = await lockRequest(db, requireId(params.id, 'audition'));
  if (row?.performerId !== caller.userId) throw notFound('audition');
  return row;
}

async function showsReceipts(db: Db, userId: number): Promise<boolean> {
  const [found] = await db.select({ readReceipts: users.readReceipts }).from(users).where(eq(users.id, userId));
  return found?.readReceipts ?? false;
}

interface Answering {
  db: Db;
  changes: ChangeLog;
  now: Date;
  row: RequestRow;
}

/** Stores a yes or a no and tells the owner, where it is what the performer wants now. @throws 409 when there is nothing more to say */
async function answer(
  { db, changes, now, row }: Answering,
  what: 'confirmed' | 'declined',
  { at, text }: { at?: string | undefined; text?: string | null | undefined },
) {
  const current = await presentAudition(db, row);
  if (isOver(current, current.role.status)) {
    const message = row.withdrawnAt === null ? 'This role is no longer open' : 'This request was withdrawn';
    throw conflictWith(message, current);
  }
  if (what === 'declined' && row.arrivedAt !== null) throw conflictWith('Your tape has arrived already', current);
  await markRead(db, changes, row.performerId!, { about: { type: NEWS_OF_IT, subjectId: row.id } }, now);
  const outcome = decide(row, what, at, now);
  if (outcome === null) return current;
  const values =
    what === 'confirmed' ? { confirmedAt: outcome.at } : { declinedAt: outcome.at, declineText: text ?? null };
  const request = await changeRequest(db, changes, row, values, now);
  if (outcome.holds) {
    const opposite = what === 'confirmed' ? 'audition.declined' : 'audition.confirmed';
    await deleteNotifications(db, changes, { type: opposite, subjectId: row.id });
    await tellOwner(db, changes, `audition.${what}`, { request, part: await getPart(db, row.roleId), now });
  }
  return presentAudition(db, request);
}

/** The performer who was asked. */
export function auditionRoutes(app: FastifyInstance, uploads: Uploads): void {
  app.mirror.set('audition', async (db, ids, userId) =>
    presentAuditions(db, await listRequests(db, eq(auditionRequests.performerId, userId), ids.map(Number))),
  );

  writeRoute(app, {
    endpoint: AUDITION_CALLS.seen,
    summary: 'Says that the performer has read a request; without read receipts, nobody is told',
    access: requiredAccount(lockOwnAudition),
    params: byId,
    body: seenBody,
    responses: { 200: withRecord(auditionRecord) },
    handler: async ({ body, caller: { userId }, subject, db, now, changes }) => {
      await markRead(db, changes, userId, { about: { type: NEWS_OF_IT, subjectId: subject.id } }, now);
      const isTold = subject.seenAt === null && subject.withdrawnAt === null && (await showsReceipts(db, userId));
      const seenAt = readTime(body.at, subject, now);
      const row = isTold ? await changeRequest(db, changes, subject, { seenAt }, now) : subject;
      return ok({ message: 'Seen', data: await presentAudition(db, row) });
    },
  });

  writeRoute(app, {
    endpoint: AUDITION_CALLS.confirm,
    summary: 'Says that the performer will tape, also after a no',
    access: requiredAccount(lockOwnAudition),
    params: byId,
    body: confirmBody,
    responses: { 200: withRecord(auditionRecord) },
    handler: async ({ body, caller, subject: row, db, now, changes }) => {
      await requireMayReach(db, caller);
      const data = await answer({ db, changes, now, row }, 'confirmed', body);
      return ok({ message: 'Confirmed', data });
    },
  });

  writeRoute(app, {
    endpoint: AUDITION_CALLS.decline,
    summary: 'Says that the performer will not tape, also after a yes',
    access: requiredAccount(lockOwnAudition),
    params: byId,
    body: declineBody,
    responses: { 200: withRecord(auditionRecord) },
    handler: async ({ body, subject: row, db, now, changes }) => {
      const data = await answer({ db, changes, now, row }, 'declined', body);
      return ok({ message: 'Declined', data });
    },
  });

  tapeRoutes(app, uploads);
}
