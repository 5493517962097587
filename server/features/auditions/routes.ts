import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { AUDITION_CALLS } from '#contract/casting-calls.ts';
import { isOver } from '#contract/casting/state.ts';
import { auditionRecord, confirmBody, declineBody, seenBody } from '#contract/records/casting.ts';
import { requireMayReach } from '#server/platform/access/withholding.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { auditionRequests, users } from '#server/platform/db/schema.ts';
import { conflictWith } from '#server/platform/http/errors.ts';
import { ok } from '#server/platform/http/response.ts';
import { requiredAccount, writeRoute } from '#server/platform/http/route.ts';
import { withRecord } from '#server/platform/http/schemas.ts';
import { changeRequest, getPart, listRequests, tellOwner, type RequestRow } from '../casting/rows.ts';
import { deleteNotifications, markRead } from '../notifications/store.ts';
import type { Uploads } from '../uploads/open.ts';
import { byId, lockOwnAudition } from './guards.ts';
import { presentAudition, presentAuditions } from './present.ts';

import { questionRoute } from './questions.ts';
import { agreeToNotices, decide, readTime } from './say.ts';
import { tapeRoutes } from './tapes.ts';

const NEWS_OF_IT = ['audition.requested' as const, 'audition.changed' as const, 'audition.reminder' as const];

async function showsReceipts(db: Db, userId: number): Promise<boolean> {
  const { auditionReceipts } = users;
  const [found] = await db.select({ auditionReceipts }).from(users).where(eq(users.id, userId));
  return found?.auditionReceipts ?? false;
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
  {
    at,
    text,
    notices_at,
  }: { at?: string | undefined; text?: string | null | undefined; notices_at?: string | undefined },
) {
  const current = await presentAudition(db, row);
  if (isOver(current, current.role.status)) {
    const message = row.withdrawnAt === null ? 'This role is no longer open' : 'This request was withdrawn';
    throw conflictWith(message, current);
  }
  if (what === 'declined' && row.arrivedAt !== null) throw conflictWith('Your tape has arrived already', current);
  await markRead(db, changes, row.performerId!, { about: { type: NEWS_OF_IT, subjectId: row.id } }, now);
  const outcome = decide(row, what, at, now);
  const agreed = agreeToNotices(row, notices_at, readTime(at, row, now));
  if (outcome === null) {
    return agreed === null ? current : presentAudition(db, await changeRequest(db, changes, row, agreed, now));
  }
  const values =
    what === 'confirmed'
      ? { confirmedAt: outcome.at, ...agreed }
      : { declinedAt: outcome.at, declineText: text ?? null };
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
    summary: 'Says that the performer has read a request; with receipts of auditions off, nobody is told',
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

  questionRoute(app);
  tapeRoutes(app, uploads);
}
