import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { CASTING_CALLS } from '#contract/casting-calls.ts';
import { tapeRecord, viewedBody } from '#contract/records/tapes.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { tapeViewings } from '#server/platform/db/schema.ts';
import { conflictWith } from '#server/platform/http/errors.ts';
import { ok } from '#server/platform/http/response.ts';
import { requiredAccount, writeRoute } from '#server/platform/http/route.ts';
import { withRecord } from '#server/platform/http/schemas.ts';
import { markRead } from '../notifications/store.ts';
import { byId, lockReceivedTape } from './guards.ts';
import { changeRequest, getPart, tellPerformer, type RequestRow } from './rows.ts';
import { presentTape } from './tape-rows.ts';

/** A tape counts as watched after so long; less may have been a slip of the finger. */
export const WATCHED_SECONDS = 3;

/** Adds to the time that somebody has watched a tape. @returns all of it, in seconds */
async function addSeconds(tx: Db, tapeId: number, userId: number, seconds: number, now: Date): Promise<number> {
  const [row] = await tx
    .insert(tapeViewings)
    .values({ tapeId, userId, firstAt: now, seconds })
    .onConflictDoUpdate({
      target: [tapeViewings.tapeId, tapeViewings.userId],
      set: { seconds: sql`${tapeViewings.seconds} + ${seconds}` },
    })
    .returning({ seconds: tapeViewings.seconds });
  return row!.seconds;
}

/** Notes that the tape of a locked request was watched, and tells the performer: the first time, whoever it was. */
export async function markWatched(tx: Db, changes: ChangeLog, request: RequestRow, now: Date): Promise<void> {
  // Who has withdrawn a request owes its performer no more news of it.
  if (request.watchedAt !== null || request.withdrawnAt !== null) return;
  const watched = await changeRequest(tx, changes, request, { watchedAt: now }, now);
  const part = await getPart(tx, request.roleId);
  await tellPerformer(tx, changes, 'audition.watched', { request: watched, part, now });
}

/** Watching tapes. The performer learns of the first time alone. */
export function viewingRoutes(app: FastifyInstance): void {
  writeRoute(app, {
    endpoint: CASTING_CALLS.viewTape,
    summary: 'Says that a tape was played in view; the performer learns of the first time',
    access: requiredAccount(lockReceivedTape('read')),
    params: byId,
    body: viewedBody,
    responses: { 200: withRecord(tapeRecord) },
    handler: async ({ body, subject: { tape, request }, caller: { userId }, db, now, changes }) => {
      if (tape.arrivedAt === null) throw conflictWith('This tape has not arrived yet', presentTape(tape));
      const about = { type: 'casting.tape_arrived' as const, subjectId: request.id };
      await markRead(db, changes, userId, { about }, now);
      const seconds = await addSeconds(db, tape.id, userId, body.seconds, now);
      if (seconds >= WATCHED_SECONDS) await markWatched(db, changes, request, now);
      return ok({ message: 'Watched', data: presentTape(tape) });
    },
  });
}
