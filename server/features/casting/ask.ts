import { and, eq, isNull } from 'drizzle-orm';
import { getNotices, toRequestTerms } from '#contract/casting/terms.ts';
import { CASTING_LIMITS, type AskBody, type AuditionRequest } from '#contract/records/casting.ts';
import { checkRules, listUnwaived, type RequestTerms, type StatedWaiver } from '#contract/rules/check.ts';
import { getPack } from '#contract/rules/index.ts';
import type { RulePack } from '#contract/rules/pack.ts';
import { canBeWrittenBy, findMinors } from '#server/platform/access/minors.ts';
import { findOfficeOf } from '#server/platform/access/offices.ts';
import { getVisibleProfile, requireVisible, type ProfileRow } from '#server/platform/access/profiles.ts';
import { requireRight } from '#server/platform/access/projects.ts';
import { requireMayReach } from '#server/platform/access/withholding.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { lockPair } from '#server/platform/db/lock-pair.ts';
import { auditionRequests, type StoredTerms } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { brokenRules, conflict, conflictWith, invalid, notFound } from '#server/platform/http/errors.ts';
import { parseId, requireId } from '#server/platform/http/ids.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import type { SharedLimiter } from '#server/platform/http/shared-limiter.ts';
import { lockProject, lockRole } from './guards.ts';
import { findMemberOf } from './member-rows.ts';
import { presentProject, presentRequest, presentRole } from './present.ts';
import { getParts, recordRequest, tellPerformer, type Part, type RequestRow } from './rows.ts';
import { takeSides, type BroughtSides } from './sides.ts';

const DAY_MS = 86_400_000;

/** Finds the request that the caller sent under a client id. */
async function findRequestByClientId(
  db: Db,
  { userId }: Caller,
  clientId: string | undefined,
): Promise<RequestRow | null> {
  if (clientId === undefined) return null;
  const [found] = await db
    .select()
    .from(auditionRequests)
    .where(and(eq(auditionRequests.userId, userId), eq(auditionRequests.clientId, clientId)));
  return found ?? null;
}

/** @throws 422 naming `deadline_at` */
function requireDeadline(deadline: Date, now: Date): void {
  const ahead = deadline.getTime() - now.getTime();
  if (ahead <= 0) throw invalid({ deadline_at: ['Choose a time that is still to come'] });
  if (ahead > CASTING_LIMITS.deadlineDays * DAY_MS) {
    throw invalid({ deadline_at: [`Choose a time within ${CASTING_LIMITS.deadlineDays} days`] });
  }
}

/**
 * Checks the rules of a pack.
 * @returns what a request keeps of them: what it breaks with a reason
 * @throws 422 with `breaches` when it breaks a rule without one
 */
function requireRules(pack: RulePack, terms: RequestTerms, waivers: readonly StatedWaiver[]): AuditionRequest['rules'] {
  const { breaches } = checkRules(pack, terms);
  const unwaived = listUnwaived(pack, breaches, waivers);
  if (unwaived.length > 0) throw brokenRules(unwaived);
  return {
    pack: pack.id,
    pack_version: pack.version,
    breaches: breaches.map(({ rule, text }) => ({ rule, text })),
    waivers: breaches.flatMap(({ rule }) => waivers.find((waiver) => waiver.rule === rule) ?? []),
  };
}

const isMinor = async (db: Db, userId: number): Promise<boolean> => (await findMinors(db, [userId])).length > 0;

/**
 * Locks the role and its project until the commit, so that nobody casts the role or closes the project meanwhile.
 * @throws 404 if they are not the caller's, 409 if they take no requests
 */
async function lockOpenPart(tx: Db, caller: Caller, roleId: string): Promise<Part> {
  const id = requireId(roleId, 'role');
  const known = (await getParts(tx, [id])).get(id);
  if (known === undefined) throw notFound('role');
  await requireRight(tx, { projectId: known.project.id, ownerId: known.project.userId }, caller, 'own', 'role');
  // The project first, like whoever deletes both.
  const project = await lockProject(tx, caller, String(known.project.id), 'share', 'own');
  const role = await lockRole(tx, caller, roleId, 'no key update', 'own');
  if (project.status !== 'open') throw conflict('This project is closed. Open it again to ask people');
  if (role.status === 'cast') throw conflict('This role is cast. Open it again to ask people');
  if (role.status !== 'open') throw conflict('This role is closed. Open it again to ask people');
  return { role, project };
}

/**
 * Finds a profile whose owner the caller may ask, and locks the two people until the commit.
 * @throws 404 if the caller does not see it or may not write to its owner, 422 if it is their own
 */
async function lockAskable(tx: Db, caller: Caller, profileId: string): Promise<ProfileRow> {
  const profile = await getVisibleProfile(tx, profileId, caller);
  if (profile.userId === caller.userId) throw invalid({ profile_id: ['This is your own profile'] });
  await lockPair(tx, caller.userId, profile.userId);
  // One of them may have blocked the other before the lock was free.
  const { viewerRole } = await requireVisible(tx, profile, caller);
  if (!(await canBeWrittenBy(tx, profile.userId, viewerRole))) throw notFound('profile');
  return profile;
}

/** @throws 409 with the request that this person was sent for the role and round, unless it was withdrawn */
async function requireNotAsked(tx: Db, roleId: number, performerId: number, round: AskBody['round']): Promise<void> {
  const [earlier] = await tx
    .select()
    .from(auditionRequests)
    .where(
      and(
        eq(auditionRequests.roleId, roleId),
        eq(auditionRequests.performerId, performerId),
        eq(auditionRequests.round, round),
        isNull(auditionRequests.withdrawnAt),
      ),
    );
  if (earlier !== undefined) {
    throw conflictWith('You have asked this person for this role already', await presentRequest(tx, earlier));
  }
}

/** @throws 422 unless the earlier request is one that the caller sent to the same person */
async function getPreviousId(
  tx: Db,
  caller: Caller,
  performerId: number,
  idText: string | null | undefined,
): Promise<number | null> {
  if (idText == null) return null;
  const { id, userId } = auditionRequests;
  const previousId = parseId(idText);
  const [found] =
    previousId === null
      ? []
      : await tx
          .select({ id })
          .from(auditionRequests)
          .where(and(eq(id, previousId), eq(userId, caller.userId), eq(auditionRequests.performerId, performerId)));
  if (found === undefined) throw invalid({ previous_id: ['This is not an earlier request to the same person'] });
  return found.id;
}

const toStoredTerms = (body: AskBody): StoredTerms => ({
  instructions: body.instructions ?? null,
  sides_text: body.sides_text ?? null,
  takes: body.takes,
  slate: body.slate,
  full_length: body.full_length,
  shot: body.shot,
  max_minutes: body.max_minutes,
  max_height: body.max_height ?? null,
  naming: body.naming ?? null,
  memorize: body.memorize,
  live_option: body.live_option ?? null,
  shoot_dates: body.shoot_dates.toSorted(),
});

/** Counts a request. @throws 429 */
async function takeLimits(tx: Db, limiter: SharedLimiter, { userId }: Caller): Promise<void> {
  const subject = String(userId);
  const isOffice = (await findOfficeOf(tx, userId)) !== null;
  await limiter.takeAll([
    ...(isOffice ? [] : [[LIMIT.unverifiedAuditions, subject] as const]),
    [LIMIT.auditions, subject],
  ]);
}

interface Asking {
  body: AskBody;
  caller: Caller;
  now: Date;
  limiter: SharedLimiter;
  brought: BroughtSides;
}

/**
 * Accepts a request to audition and tells the performer. A repeated `client_id` returns the request that is there.
 * @throws 404, 409 or 422 as the functions above, 403 if the caller may not reach others yet, 429
 */
export async function ask(
  tx: Db,
  changes: ChangeLog,
  { body, caller, now, limiter, brought }: Asking,
): Promise<{ request: RequestRow; isNew: boolean }> {
  const known = await findRequestByClientId(tx, caller, body.client_id);
  if (known !== null) return { request: known, isNew: false };
  const profile = await lockAskable(tx, caller, body.profile_id);
  const part = await lockOpenPart(tx, caller, body.role_id);
  await requireMayReach(tx, caller);
  // A repeat may have come first while this one waited for the locks.
  const raced = await findRequestByClientId(tx, caller, body.client_id);
  if (raced !== null) return { request: raced, isNew: false };
  const member = await findMemberOf(tx, part.project.id, profile.userId);
  if (member?.state === 'invited' || member?.state === 'active') {
    throw invalid({
      profile_id: ['They are your colleague in this project, and would see what is said of their tape'],
    });
  }
  await requireNotAsked(tx, part.role.id, profile.userId, body.round);
  const previousId = await getPreviousId(tx, caller, profile.userId, body.previous_id);
  const deadlineAt = new Date(body.deadline_at);
  requireDeadline(deadlineAt, now);
  const project = presentProject(part.project);
  const notices = getNotices(presentRole(part.role));
  const isPerformerMinor = await isMinor(tx, profile.userId);
  const sides = await takeSides(tx, caller, body.sides, brought, now);
  const terms = toRequestTerms({ ...body, sides }, { notices, project, askedAt: now.getTime(), isPerformerMinor });
  const rules = requireRules(getPack(project.rule_pack), terms, body.waivers);
  await takeLimits(tx, limiter, caller);
  const [added] = await tx
    .insert(auditionRequests)
    .values({
      roleId: part.role.id,
      userId: caller.userId,
      performerId: profile.userId,
      profileId: profile.id,
      round: body.round,
      previousId,
      terms: toStoredTerms(body),
      sides,
      deadlineAt,
      timeZone: project.time_zone,
      region: project.region,
      extraHolidays: project.extra_holidays,
      notices,
      rules,
      askedAt: now,
      clientId: body.client_id ?? null,
      updatedAt: now,
    })
    .returning();
  const request = added!;
  await recordRequest(tx, changes, request);
  await tellPerformer(tx, changes, 'audition.requested', { request, part, now });
  return { request, isNew: true };
}

/** The values of a request that its sender may change. What is absent stays. */
interface Changed {
  instructions?: string | null | undefined;
  sides_text?: string | null | undefined;
  deadline_at?: string | undefined;
}

/**
 * What a change makes of a request; null if nothing. The deadline can only move to a later time, and changed texts must keep the rules.
 * @throws 422
 */
export async function getChange(
  db: Db,
  row: RequestRow,
  changed: Changed,
  now: Date,
): Promise<Partial<RequestRow> | null> {
  const { instructions = row.terms.instructions, sides_text = row.terms.sides_text } = changed;
  const deadlineAt = changed.deadline_at === undefined ? row.deadlineAt : new Date(changed.deadline_at);
  const hasNewDeadline = deadlineAt.getTime() !== row.deadlineAt.getTime();
  if (deadlineAt < row.deadlineAt) throw invalid({ deadline_at: ['The deadline can only move to a later time'] });
  if (hasNewDeadline) requireDeadline(deadlineAt, now);
  const hasNewText = instructions !== row.terms.instructions || sides_text !== row.terms.sides_text;
  if (!hasNewDeadline && !hasNewText) return null;
  const terms = { ...row.terms, instructions, sides_text };
  // A later deadline has reminders of its own, but none for a moment that has passed.
  const moved = hasNewDeadline ? { deadlineAt, deadlineBefore: row.deadlineAt, remindedUntil: now } : {};
  if (!hasNewText) return moved;
  const asked = { ...terms, sides: row.sides, round: row.round, deadline_at: deadlineAt.toISOString() };
  const ruleTerms = toRequestTerms(asked, {
    notices: row.notices,
    project: { time_zone: row.timeZone, region: row.region, extra_holidays: row.extraHolidays },
    askedAt: row.askedAt.getTime(),
    isPerformerMinor: row.performerId !== null && (await isMinor(db, row.performerId)),
  });
  return {
    terms,
    ...moved,
    rules: requireRules(getPack(row.rules.pack), ruleTerms, row.rules.waivers),
  };
}
