import type { FastifyBaseLogger } from 'fastify';
import { and, eq, gt } from 'drizzle-orm';
import { getActRule, type DeskActRule } from '#contract/desk-acts.ts';
import type { ActBody } from '#contract/records/desk.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { audit } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { conflict, forbidden, invalid, notFound, unprocessable } from '#server/platform/http/errors.ts';
import { requireFreshSignIn } from '#server/platform/http/fresh-sign-in.ts';
import { parseId, requireId } from '#server/platform/http/ids.ts';
import type { SharedLimiter } from '#server/platform/http/shared-limiter.ts';
import type { WriteTransaction } from '#server/platform/http/write.ts';
import { ACTS } from './acts/index.ts';
import { lockAudit, recordAct, type AuditEntry, type AuditRow } from './audit.ts';
import { findReport, IS_ABOUT_CALLER } from './find-report.ts';
import { findAct, getActName, getRuleOf, isUndoable, isUndone } from './log.ts';

/** Who acts, and in which request. */
export interface Acting {
  actor: Caller;
  now: Date;
  requestId: string;
  limiter: SharedLimiter;
  log: FastifyBaseLogger;
}

/** How long one look at a person counts as the same. */
const SAME_LOOK_MS = 10 * 60_000;

const toEntry = ({
  actor,
  now,
  requestId,
}: Acting): Pick<AuditEntry, 'at' | 'actorId' | 'actorName' | 'requestId'> => ({
  at: now,
  actorId: actor.userId,
  actorName: actor.name,
  requestId,
});

/** Adds an entry to the log in the database and, without names and words, to that of the server. */
async function record(tx: Db, acting: Acting, entry: AuditEntry): Promise<AuditRow> {
  const row = await recordAct(tx, entry);
  const { id, act, targetType, hash } = row;
  acting.log.info({ audit: id, act, target: targetType, hash }, 'an act at the desk');
  return row;
}

/** @throws 403 if the rule does not allow it to the caller, or asks them to prove who they are */
function requireAllowed(rule: DeskActRule, { actor, now }: Acting): void {
  if (rule.by === 'operator' && actor.role !== 'operator') throw forbidden('Only an operator can do this');
  if (rule.isFresh) requireFreshSignIn(actor, now);
}

/**
 * Reads the report that an act decides.
 * @throws 422 if there is none, or it is about the caller; 409 if it was closed, for example in another tab
 */
async function requireOpenReport(db: Db, id: string, { actor }: Acting): Promise<number> {
  const reportId = parseId(id);
  const report = reportId === null ? null : await findReport(db, reportId);
  if (report === null) throw invalid({ report_id: ['There is no such report'] });
  if (report.reportedId === actor.userId) throw unprocessable(IS_ABOUT_CALLER);
  if (report.state === 'closed') throw conflict('This report was closed meanwhile. Open it again to decide otherwise');
  return report.id;
}

/** Does an act and writes it into the log, in one transaction. */
export async function performAct({ tx, changes }: WriteTransaction, acting: Acting, body: ActBody): Promise<AuditRow> {
  const rule = getActRule(body.act);
  const { actor, now, limiter } = acting;
  if (!rule.targets.includes(body.target_type)) throw invalid({ target_type: ['This act is about something else'] });
  const words = body.words?.trim() ?? '';
  if (rule.needsWords && words === '') throw invalid({ words: ['Write what the person is told'] });
  requireAllowed(rule, acting);
  const targetId = requireId(body.target_id, body.target_type);
  // Acts wait here for each other, so that each finds what the one before it has decided.
  const { id: actId } = await lockAudit(tx);
  const reportId = body.report_id == null ? null : await requireOpenReport(tx, body.report_id, acting);
  const { userId, before = null } = await ACTS[body.act].apply({
    tx,
    changes,
    actor,
    now,
    limiter,
    actId,
    target: { type: body.target_type, id: targetId },
    reason: body.reason,
    words,
    until: body.until == null ? null : new Date(body.until),
    typedName: body.name ?? '',
    domain: body.domain ?? null,
  });
  return record(tx, acting, {
    ...toEntry(acting),
    act: body.act,
    targetType: body.target_type,
    targetId,
    targetUserId: userId,
    reportId: reportId ?? (body.target_type === 'report' ? targetId : null),
    reason: body.reason,
    words: words === '' ? null : words,
    before,
    undoes: null,
  });
}

/** Undoes an act and writes that into the log, in one transaction. @throws 404, 403, 422 if it cannot be undone, or 409 if not any more */
export async function undoAct({ tx, changes }: WriteTransaction, acting: Acting, id: number): Promise<AuditRow> {
  await lockAudit(tx);
  const done = await findAct(tx, id);
  if (done === null) throw notFound('act');
  const rule = getRuleOf(done);
  const name = getActName(done);
  const undo = name === null ? undefined : ACTS[name].undo;
  if (rule === null || undo === undefined) throw unprocessable('This cannot be undone');
  requireAllowed(rule, acting);
  if (await isUndone(tx, id)) throw conflict('This was undone already');
  const { actor, now, limiter } = acting;
  if (!isUndoable(done, now)) throw conflict('It is too late to undo this');
  if (done.targetUserId === actor.userId) throw unprocessable('This is about you. Somebody else has to undo it');
  await undo({ tx, changes, actor, now, limiter, done });
  return record(tx, acting, {
    ...toEntry(acting),
    act: `${done.act}.undo`,
    targetType: done.targetType,
    targetId: done.targetId,
    targetUserId: done.targetUserId,
    reportId: done.reportId,
    reason: done.reason,
    words: null,
    before: null,
    undoes: done.id,
  });
}

/** Writes into the log that somebody looked at a person, once for looks within minutes. */
export async function recordLook(
  db: Db,
  acting: Acting,
  { userId, reportId }: { userId: number; reportId: number | null },
): Promise<void> {
  const { actor, now } = acting;
  const since = new Date(now.getTime() - SAME_LOOK_MS);
  const isSame = and(
    eq(audit.act, 'look'),
    eq(audit.actorId, actor.userId),
    eq(audit.targetUserId, userId),
    gt(audit.at, since),
  );
  if ((await db.$count(audit, isSame)) > 0) return;
  await db.transaction((tx) =>
    record(tx, acting, {
      ...toEntry(acting),
      act: 'look',
      targetType: 'user',
      targetId: userId,
      targetUserId: userId,
      reportId,
      reason: 'other',
      words: null,
      before: null,
      undoes: null,
    }),
  );
}
