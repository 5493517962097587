import { and, eq, ne } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { CASTING_CALLS } from '#contract/casting-calls.ts';
import { createLinkBody, LINK_LIMITS, linkRecord, updateLinkBody } from '#contract/records/links.ts';
import { requireMayReach } from '#server/platform/access/withholding.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { auditionRequests, castingLinks } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { conflictWith, invalid, notFound, unprocessable } from '#server/platform/http/errors.ts';
import { parseId, requireId } from '#server/platform/http/ids.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { created, ok } from '#server/platform/http/response.ts';
import { requiredAccount, writeRoute, type GuardInput } from '#server/platform/http/route.ts';
import { withRecord } from '#server/platform/http/schemas.ts';
import { byId, lockRole } from './guards.ts';
import { changeLink, isLiveIn, type LinkRow, listLinks, presentLink, presentLinks, recordLink } from './link-rows.ts';
import { listTapes } from './tape-rows.ts';

const DAY_MS = 86_400_000;
const SAVED = 'Link saved';

/** Locks a link of the caller until the commit. @throws 404 */
async function lockOwnLink({ db, caller, params }: GuardInput<Caller, { id: string }>): Promise<LinkRow> {
  const id = requireId(params.id, 'link');
  const [row] = await db.select().from(castingLinks).where(eq(castingLinks.id, id)).for('no key update');
  if (row?.userId !== caller.userId) throw notFound('link');
  return row;
}

/** @throws 422 unless the time is to come, and not too far away */
function readEnd(text: string, now: Date): Date {
  const end = new Date(text);
  const refuse = (message: string) => invalid({ expires_at: [message] });
  if (end <= now) throw refuse('Choose a time that is still to come');
  // Some minutes more, since the clocks of devices differ.
  if (end.getTime() > now.getTime() + LINK_LIMITS.days * DAY_MS + 10 * 60_000) {
    throw refuse(`A link can work for up to ${LINK_LIMITS.days} days`);
  }
  return end;
}

/**
 * The tapes of a role among those that were chosen; null for all that arrive. One that is gone meanwhile is left out, since no form can show
 * it to be taken out of the choice. Those that may not be shared are kept, and never shown.
 * @throws 422 if none is left
 */
async function readTapes(db: Db, roleId: number, texts: readonly string[] | null): Promise<string[] | null> {
  if (texts === null) return null;
  const ids = texts.flatMap((text) => parseId(text) ?? []);
  const there = new Set((await listTapes(db, eq(auditionRequests.roleId, roleId), ids)).map(({ id }) => id));
  if (there.size === 0) throw invalid({ tape_ids: ['These tapes are no longer there'] });
  return [...new Set(ids)].filter((id) => there.has(id)).map(String);
}

/** @throws 422 if the name is that of somebody else's link, whose address the caller may have */
async function requireFreeName(db: Db, name: string): Promise<void> {
  if ((await db.$count(castingLinks, eq(castingLinks.clientId, name))) > 0)
    throw invalid({ client_id: ['There is a link with this name'] });
}

/** The role must be locked, so that two links that are made at once are counted. @throws 422 */
async function requireRoomForLink(db: Db, roleId: number, now: Date, except?: number): Promise<void> {
  const most = LINK_LIMITS.livePerRole;
  const others = except === undefined ? undefined : ne(castingLinks.id, except);
  if ((await db.$count(castingLinks, and(eq(castingLinks.roleId, roleId), isLiveIn(now), others))) >= most) {
    throw unprocessable(`A role can have up to ${most} links that work. Revoke one first`);
  }
}

/** Links to tapes for people without an account. Only the owner of the role has to do with them. */
export function linkRoutes(app: FastifyInstance): void {
  app.mirror.set('link', async (db, ids, userId) => presentLinks(db, await listLinks(db, userId, ids.map(Number))));

  writeRoute(app, {
    endpoint: CASTING_CALLS.createLink,
    summary:
      'Makes a link by which people without an account watch tapes of a role; repeating a client_id makes it once',
    access: requiredAccount(),
    body: createLinkBody,
    responses: { 200: withRecord(linkRecord), 201: withRecord(linkRecord) },
    handler: async ({ body, caller, db, now, changes }) => {
      const { userId } = caller;
      const role = await lockRole(db, caller, body.role_id, 'no key update', 'own');
      const [known] = await db
        .select()
        .from(castingLinks)
        .where(and(eq(castingLinks.userId, userId), eq(castingLinks.clientId, body.client_id)));
      if (known !== undefined) return ok({ message: SAVED, data: await presentLink(db, known) });
      await requireMayReach(db, caller);
      await requireFreeName(db, body.client_id);
      const expiresAt = readEnd(body.expires_at, now);
      const tapeIds = await readTapes(db, role.id, body.tape_ids);
      await requireRoomForLink(db, role.id, now);
      await app.deps.sharedLimiter.take(LIMIT.shareLinks, String(userId));
      const [row] = await db
        .insert(castingLinks)
        .values({
          userId,
          roleId: role.id,
          clientId: body.client_id,
          name: body.name,
          tapeIds,
          expiresAt,
          tokenHash: body.token_hash,
          codeHash: body.code_hash,
          watermark: body.watermark,
          createdAt: now,
          updatedAt: now,
        })
        .returning();
      recordLink(changes, row!);
      return created({ message: SAVED, data: await presentLink(db, row!) });
    },
  });

  writeRoute(app, {
    endpoint: CASTING_CALLS.updateLink,
    summary: 'Changes what a link is called, shows, or how long it works; what is left out stays',
    access: requiredAccount(lockOwnLink),
    params: byId,
    body: updateLinkBody,
    responses: { 200: withRecord(linkRecord) },
    handler: async ({ body, subject, caller, db, now, changes }) => {
      if (subject.revokedAt !== null) throw conflictWith('This link was revoked', await presentLink(db, subject));
      const { name = subject.name, tape_ids: chosen } = body;
      const tapeIds = chosen === undefined ? subject.tapeIds : await readTapes(db, subject.roleId, chosen);
      const expiresAt = body.expires_at === undefined ? subject.expiresAt : readEnd(body.expires_at, now);
      if (subject.expiresAt <= now && expiresAt > now) {
        await lockRole(db, caller, String(subject.roleId), 'no key update', 'own');
        await requireRoomForLink(db, subject.roleId, now, subject.id);
      }
      const row = await changeLink(db, changes, subject, { name, tapeIds, expiresAt }, now);
      return ok({ message: SAVED, data: await presentLink(db, row) });
    },
  });

  writeRoute(app, {
    endpoint: CASTING_CALLS.revokeLink,
    summary: 'Ends a link for good, at once for everybody who is watching by it',
    access: requiredAccount(lockOwnLink),
    params: byId,
    responses: { 200: withRecord(linkRecord) },
    handler: async ({ subject, db, now, changes }) => {
      const isFirst = subject.revokedAt === null;
      const values = { revokedAt: now, revokedBy: 'owner' as const };
      const row = isFirst ? await changeLink(db, changes, subject, values, now) : subject;
      return ok({ message: 'Link revoked', data: await presentLink(db, row) });
    },
  });
}
