import { timingSafeEqual } from 'node:crypto';
import { and, asc, desc, eq, lt, notInArray } from 'drizzle-orm';
import { toCodeText } from '#contract/records/links.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { castingLinkOpenings, castingLinks, users } from '#server/platform/db/schema.ts';
import { changeLink, isLive, type LinkRow } from '../casting/link-rows.ts';
import { isLinkName, startSession, toHash, type Watching } from './session.ts';

const HOUR_MS = 3_600_000;
/** So many wrong codes close a link for an hour, and so many such hours end it. */
const MOST_WRONG_CODES = 20;
const MOST_CLOSINGS = 5;
/** Openings that are kept for the owner. */
const KEPT_OPENINGS = 200;

export interface Asked {
  /** The name of the link in its address. */
  linkName: string;
  token: string;
  code: string | null;
}

/** Locks the link with this name and token. Without the token nobody can even guess codes. */
export async function lockLink(tx: Db, { linkName, token }: Asked): Promise<LinkRow | null> {
  const tokenHash = toHash(token);
  if (!isLinkName(linkName)) return null;
  const [row] = await tx
    .select()
    .from(castingLinks)
    .where(and(eq(castingLinks.clientId, linkName), eq(castingLinks.tokenHash, tokenHash)))
    // Whoever has the address knows both. A later link that repeats them never stands for the first one.
    .orderBy(asc(castingLinks.id))
    .limit(1)
    .for('no key update');
  return row ?? null;
}

async function isOwnerActive(tx: Db, { userId }: LinkRow): Promise<boolean> {
  const [owner] = await tx.select({ state: users.state }).from(users).where(eq(users.id, userId));
  return owner?.state === 'active';
}

function isRightCode(codeHash: string, { token, code }: Asked): boolean {
  return timingSafeEqual(Buffer.from(toHash(toCodeText(token, code ?? '')), 'hex'), Buffer.from(codeHash, 'hex'));
}

/** Counts a wrong code, which may close the link for an hour or end it. */
async function countWrongCode(tx: Db, changes: ChangeLog, row: LinkRow, now: Date): Promise<void> {
  const wrongCodes = row.wrongCodes + 1;
  if (wrongCodes < MOST_WRONG_CODES) {
    await tx.update(castingLinks).set({ wrongCodes }).where(eq(castingLinks.id, row.id));
    return;
  }
  const closings = row.closings + 1;
  const isOver = closings >= MOST_CLOSINGS;
  const values = {
    wrongCodes: 0,
    closings,
    closedUntil: new Date(now.getTime() + HOUR_MS),
    ...(isOver && { revokedAt: now, revokedBy: 'wrong codes' as const }),
  };
  await changeLink(tx, changes, row, values, now);
}

/** Deletes openings that have ended, but for the newest. */
async function forgetOldOpenings(tx: Db, linkId: number, now: Date): Promise<void> {
  const kept = tx
    .select({ id: castingLinkOpenings.id })
    .from(castingLinkOpenings)
    .where(eq(castingLinkOpenings.linkId, linkId))
    .orderBy(desc(castingLinkOpenings.id))
    .limit(KEPT_OPENINGS);
  await tx
    .delete(castingLinkOpenings)
    .where(
      and(
        eq(castingLinkOpenings.linkId, linkId),
        lt(castingLinkOpenings.expiresAt, now),
        notInArray(castingLinkOpenings.id, kept),
      ),
    );
}

/**
 * Opens a locked link for a page.
 * @returns null if it shows nothing: it has ended, is closed, or wants another code, which is counted
 */
export async function openLink(
  tx: Db,
  changes: ChangeLog,
  link: LinkRow,
  asked: Asked,
  now: Date,
): Promise<(Watching & { session: string }) | null> {
  if (!isLive(link, now) || !(await isOwnerActive(tx, link))) return null;
  if (link.codeHash !== null) {
    const isClosed = link.closedUntil !== null && link.closedUntil > now;
    // Without a code, nobody has guessed.
    if (isClosed || asked.code === null || asked.code.trim() === '') return null;
    if (!isRightCode(link.codeHash, asked)) {
      await countWrongCode(tx, changes, link, now);
      return null;
    }
  }
  const started = await startSession(tx, link.id, now);
  await forgetOldOpenings(tx, link.id, now);
  const opened = await changeLink(tx, changes, link, { opened: link.opened + 1, wrongCodes: 0 }, now);
  return { link: opened, ...started };
}
