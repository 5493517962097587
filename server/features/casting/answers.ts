import type { FastifyInstance } from 'fastify';
import { CASTING_CALLS } from '#contract/casting-calls.ts';
import { findReplaced, isDeclined, isAnsweredFinally } from '#contract/casting/state.ts';
import {
  answerBody,
  castBody,
  castResponse,
  CASTING_LIMITS,
  requestRecord,
  withdrawBody,
  type Answer,
  type AuditionRequest,
} from '#contract/records/casting.ts';
import { codePoints } from '#contract/text.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { conflictWith, invalid, unprocessable } from '#server/platform/http/errors.ts';
import { ok } from '#server/platform/http/response.ts';
import { requiredAccount, writeRoute } from '#server/platform/http/route.ts';
import { withRecord } from '#server/platform/http/schemas.ts';
import { shuffle } from '#server/platform/shuffle.ts';
import { deleteNotifications } from '../notifications/store.ts';
import { byId, lockOwnRequest, lockOwnRole } from './guards.ts';
import { presentRequest, presentRequests, presentRole } from './present.ts';
import {
  changeRequest,
  getPart,
  lockRequestsOfRole,
  recordAuditions,
  recordRole,
  tellPerformer,
  type Part,
  type RequestRow,
} from './rows.ts';
import { presentShared } from './shared-record.ts';
import { changeRole } from './store.ts';

const wasCast = ({ answers }: RequestRow) => answers.some(({ kind }) => kind === 'cast');
/** Whether it has as many answers as it can have. */
const isFull = ({ answers }: RequestRow) => answers.length >= CASTING_LIMITS.answersPerRequest;
const isCastLast = ({ answers }: RequestRow) => answers.at(-1)?.kind === 'cast';
const hasDeclined = (row: RequestRow) => isDeclined(presentShared(row));

interface Words {
  kind: Answer['kind'];
  text: string | null;
}

/** Adds an answer to a locked request and tells the performer. */
export async function addAnswer(
  tx: Db,
  changes: ChangeLog,
  row: RequestRow,
  { kind, text }: Words,
  { part, now }: { part: Part; now: Date },
): Promise<RequestRow> {
  const answers = [...row.answers, { kind, text, at: now.toISOString() }];
  const request = await changeRequest(tx, changes, row, { answers, answeredAt: row.answeredAt ?? now }, now);
  await tellPerformer(tx, changes, 'audition.answered', { request, part, now });
  return request;
}

/** @throws 409 if the request was withdrawn or its performer can no longer be reached */
function requireReachable(row: RequestRow, current: AuditionRequest): void {
  if (row.withdrawnAt !== null) throw conflictWith('This request was withdrawn', current);
  if (row.performerId === null) throw conflictWith('This person can no longer be reached', current);
}

/** @throws 422 */
function requireMayAnswer(row: RequestRow, { kind, text }: Words): void {
  const most = CASTING_LIMITS.answersPerRequest;
  if (isFull(row)) throw unprocessable(`A request can have up to ${most} answers`);
  const least = CASTING_LIMITS.reasonAfterCast;
  if (kind === 'no_thank_you' && wasCast(row) && codePoints(text ?? '') < least) {
    throw invalid({ text: [`You said that they are cast. Say why not, in at least ${least} characters`] });
  }
}

/** @throws 422 naming `request_ids` if one of them cannot win the role */
function findWinners(rows: readonly RequestRow[], ids: readonly string[]): RequestRow[] {
  return [...new Set(ids)].map((id) => {
    const row = rows.find((each) => String(each.id) === id);
    const refuse = (message: string) => invalid({ request_ids: [message] });
    if (row === undefined) throw refuse('One of these was not asked for this role');
    if (row.withdrawnAt !== null) throw refuse('One of these requests was withdrawn');
    if (row.performerId === null) throw refuse('One of these people can no longer be reached');
    if (hasDeclined(row)) throw refuse('One of these people has declined');
    if (isFull(row) && !isCastLast(row))
      throw refuse(`One of these requests has ${CASTING_LIMITS.answersPerRequest} answers, and can have no more`);
    return row;
  });
}

/** Whether the person still waits to hear whether they get the role. */
const isWaiting = (row: RequestRow): boolean =>
  row.withdrawnAt === null && row.performerId !== null && !hasDeclined(row) && !isAnsweredFinally(row.answers);

/** The ids of requests for whose performers there is one of a later round. */
const listReplaced = (rows: readonly RequestRow[]): ReadonlySet<string> =>
  findReplaced(
    rows.map(({ previousId, withdrawnAt }) => ({
      previous_id: previousId === null ? null : String(previousId),
      withdrawn_at: withdrawnAt === null ? null : withdrawnAt.toISOString(),
    })),
  );

/** Answering requests one by one, withdrawing them, and casting a role. */
export function answerRoutes(app: FastifyInstance): void {
  writeRoute(app, {
    endpoint: CASTING_CALLS.answer,
    summary: 'Answers a request; answers add up',
    access: requiredAccount(lockOwnRequest),
    params: byId,
    body: answerBody,
    responses: { 200: withRecord(requestRecord) },
    handler: async ({ body, subject, db, now, changes }) => {
      requireReachable(subject, await presentRequest(db, subject));
      const words = { kind: body.kind, text: body.text ?? null };
      requireMayAnswer(subject, words);
      const row = await addAnswer(db, changes, subject, words, { part: await getPart(db, subject.roleId), now });
      return ok({ message: 'Answer sent', data: await presentRequest(db, row) });
    },
  });

  writeRoute(app, {
    endpoint: CASTING_CALLS.withdraw,
    summary: 'Withdraws a request for good',
    access: requiredAccount(lockOwnRequest),
    params: byId,
    body: withdrawBody,
    responses: { 200: withRecord(requestRecord) },
    handler: async ({ body, subject, db, now, changes }) => {
      requireReachable(subject, await presentRequest(db, subject));
      if (wasCast(subject))
        throw conflictWith('This person was told that they are cast', await presentRequest(db, subject));
      const values = { withdrawnAt: now, withdrawText: body.text ?? null };
      const request = await changeRequest(db, changes, subject, values, now);
      await deleteNotifications(db, changes, {
        type: ['audition.requested', 'audition.changed', 'audition.reminder'],
        subjectId: request.id,
      });
      const part = await getPart(db, request.roleId);
      await tellPerformer(db, changes, 'audition.withdrawn', { request, part, now });
      return ok({ message: 'Request withdrawn', data: await presentRequest(db, request) });
    },
  });

  writeRoute(app, {
    endpoint: CASTING_CALLS.castRole,
    summary: 'Casts a role: answers those who get it and everybody who still waits, all at once',
    access: requiredAccount(lockOwnRole),
    params: byId,
    body: castBody,
    responses: { 200: castResponse },
    handler: async ({ body, subject, db, now, changes }) => {
      if (subject.status === 'cast') throw conflictWith('This role is cast already', presentRole(subject));
      // With the role locked, nobody else is asked until the commit.
      const rows = await lockRequestsOfRole(db, subject.id);
      const winners = findWinners(rows, body.request_ids);
      const othersText = body.text ?? null;
      const role = await changeRole(db, subject, { status: 'cast', othersText }, now);
      const part = { ...(await getPart(db, role.id)), role };
      const answered: RequestRow[] = [];
      const replaced = listReplaced(rows);
      const cast = new Set(winners.map(({ performerId }) => performerId));
      // Whoever was asked in two rounds hears once: in the later one, or where they win.
      const isLeft = (row: RequestRow) => isWaiting(row) && !replaced.has(String(row.id)) && !cast.has(row.performerId);
      // In no order, so that the order in which people hear tells nobody who was considered how.
      for (const row of shuffle(rows)) {
        const isWinner = winners.includes(row);
        if (!isWinner && !isLeft(row)) continue;
        // Whoever knows already that they are cast hears it again only with new words.
        if (isWinner && isCastLast(row) && (body.cast_text == null || isFull(row))) continue;
        const words: Words = isWinner
          ? { kind: 'cast', text: body.cast_text ?? null }
          : { kind: 'no_thank_you', text: othersText };
        answered.push(await addAnswer(db, changes, row, words, { part, now }));
      }
      await recordRole(db, changes, role);
      await recordAuditions(db, changes, { roleId: role.id });
      return ok({
        message: 'The role is cast',
        data: presentRole(role),
        requests: await presentRequests(
          db,
          answered.sort((one, other) => one.id - other.id),
        ),
      });
    },
  });
}
