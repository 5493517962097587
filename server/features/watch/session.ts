import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt } from 'drizzle-orm';
import { WATCH_SESSION_HEADER } from '#contract/records/links.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { castingLinkOpenings, castingLinks, users } from '#server/platform/db/schema.ts';
import type { GuardInput } from '#server/platform/http/route.ts';
import { isLiveIn, type LinkRow } from '../casting/link-rows.ts';
import { noSuchLink } from './refusal.ts';

type OpeningRow = typeof castingLinkOpenings.$inferSelect;

/** A link that somebody has opened and may still watch by. */
export interface Watching {
  link: LinkRow;
  opening: OpeningRow;
}

/** How long a page may watch before it has to open the link again. */
const SESSION_MS = 12 * 3_600_000;

export const toHash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Lets a page watch. @returns what it proves that with */
export async function startSession(
  tx: Db,
  linkId: number,
  now: Date,
): Promise<{ session: string; opening: OpeningRow }> {
  const session = randomBytes(24).toString('base64url');
  const [opening] = await tx
    .insert(castingLinkOpenings)
    .values({
      linkId,
      sessionHash: toHash(session),
      openedAt: now,
      expiresAt: new Date(now.getTime() + SESSION_MS),
    })
    .returning();
  return { session, opening: opening! };
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** A link is named by a UUID. No other text names one. */
export const isLinkName = (text: string): boolean => UUID.test(text);

/**
 * Finds an opening that has not ended, of a link that still works and whose owner the desk has not suspended. Each request asks anew, so
 * that a link ends at once for everybody.
 */
async function findWatching(
  db: Db,
  linkName: string,
  which: { sessionHash: string } | { openingId: number },
  now: Date,
): Promise<Watching | null> {
  if (!isLinkName(linkName)) return null;
  const [found] = await db
    .select({ link: castingLinks, opening: castingLinkOpenings })
    .from(castingLinkOpenings)
    .innerJoin(castingLinks, eq(castingLinks.id, castingLinkOpenings.linkId))
    .innerJoin(users, eq(users.id, castingLinks.userId))
    .where(
      and(
        'sessionHash' in which
          ? eq(castingLinkOpenings.sessionHash, which.sessionHash)
          : eq(castingLinkOpenings.id, which.openingId),
        eq(castingLinks.clientId, linkName),
        gt(castingLinkOpenings.expiresAt, now),
        isLiveIn(now),
        eq(users.state, 'active'),
      ),
    );
  return found ?? null;
}

/** Finds what an address of a take was made for. */
export const findWatchingOf = (db: Db, linkName: string, openingId: number, now: Date): Promise<Watching | null> =>
  findWatching(db, linkName, { openingId }, now);

/** Reads by the session in the header of a request what its page may watch. @throws 404 */
export async function requireWatching(
  { db, params, request }: GuardInput<null, { linkId: string }>,
  now: Date,
): Promise<Watching> {
  const session = request.headers[WATCH_SESSION_HEADER];
  const sessionHash = toHash(typeof session === 'string' ? session : '');
  const found = await findWatching(db, params.linkId, { sessionHash }, now);
  if (found === null) throw noSuchLink();
  return found;
}
