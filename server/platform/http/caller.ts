import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, lt, sql, type SQL } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { VIEW_AS_HEADER, VIEWERS, type Viewer } from '#contract/view-as.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { prepared } from '#server/platform/db/prepared.ts';
import { profileSearch, sessions, users, type SignInMethod } from '#server/platform/db/schema.ts';
import { invalid, unauthorized } from './errors.ts';
import { hasNewStore, hearPending, readPending } from './pending.ts';

/** The signed-in user of a request. */
export interface Caller {
  userId: number;
  sessionId: number;
  /** Null in sessions from before devices were recorded, until the app says what waits there. */
  deviceId: string | null;
  name: string;
  email: string;
  slug: string;
  /** Null if the person has not confirmed their address. */
  emailVerifiedAt: Date | null;
  /** Whether others do not see the person, and the person may not reach them, until the address is confirmed. */
  mustConfirmEmail: boolean;
  /** The address that replaces `email` once it is confirmed. */
  pendingEmail: string | null;
  /** An address that mail could not be delivered to; it need not be one of the present ones. */
  unreachableEmail: string | null;
  /** Null if the person has not said. */
  bornOn: string | null;
  /** Whether the person is protected as somebody under 18. */
  isMinor: boolean;
  /** What the person may do at the moderation desk. */
  role: (typeof users.$inferSelect)['role'];
  /** Whether the desk has suspended the account. One that is being removed has no sessions. */
  state: (typeof users.$inferSelect)['state'];
  /** How this session was signed in, or a stronger way by which the person confirmed it since. */
  method: SignInMethod;
  /** When the person registered. */
  joinedAt: Date;
  /** SHA-256 of the token that the request carries. */
  tokenHash: string;
  /** When the person last proved who they are, by signing in or by confirming it; null if that is not known. */
  reauthAt: Date | null;
  /** The kind of viewer whose view of their own page the owner wants to see; only on reads that are open to viewers. */
  viewAs?: Viewer;
}

/** `last_seen_at` of a session may be this much too early. */
export const LAST_SEEN_INTERVAL_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** A session ends after this long without use, and after `MAX_SESSION_MS` in any case. */
const IDLE_SESSION_MS = 90 * DAY_MS;
const MAX_SESSION_MS = 365 * DAY_MS;

/** A session that was last seen or created before these times has expired. */
export function getSessionCutoffs(now: Date): { lastSeenAfter: Date; createdAfter: Date } {
  return {
    lastSeenAfter: new Date(now.getTime() - IDLE_SESSION_MS),
    createdAfter: new Date(now.getTime() - MAX_SESSION_MS),
  };
}

/** Creates a token of 256 random bits. Only its hash is stored. */
export function createToken(): { token: string; tokenHash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: hashToken(token) };
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

const buildSessionQuery = (db: Db, name: string, which: SQL | undefined) =>
  prepared(db, name, (name) =>
    db
      .select({
        userId: users.id,
        sessionId: sessions.id,
        deviceId: sessions.deviceId,
        name: users.name,
        email: users.email,
        slug: users.slug,
        emailVerifiedAt: users.emailVerifiedAt,
        mustConfirmEmail: users.mustConfirmEmail,
        pendingEmail: users.pendingEmail,
        unreachableEmail: users.unreachableEmail,
        bornOn: users.bornOn,
        isMinor: users.isMinor,
        role: users.role,
        state: users.state,
        method: sessions.method,
        joinedAt: users.createdAt,
        reauthAt: sessions.reauthAt,
        createdAt: sessions.createdAt,
        lastSeenAt: sessions.lastSeenAt,
        pending: sessions.pending,
        pendingDetail: sessions.pendingDetail,
        previousHash: sessions.previousHash,
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(which)
      .prepare(name),
  );

const hashGiven = sql.placeholder('tokenHash');
const getSessionQuery = (db: Db) => buildSessionQuery(db, 'bearer', eq(sessions.tokenHash, hashGiven));
/** Finds the session of a token that was replaced, while it still works. */
const getReplacedTokenQuery = (db: Db) =>
  buildSessionQuery(
    db,
    'bearer_replaced',
    and(eq(sessions.previousHash, hashGiven), gt(sessions.previousUntil, sql.placeholder('now'))),
  );

/** Ends the token before the current one: the device has the current one now. */
async function endPreviousToken(db: Db, sessionId: number, tokenHash: string): Promise<void> {
  await db
    .update(sessions)
    .set({ previousHash: null, previousUntil: null })
    // Another request may have replaced this token meanwhile; then it is the previous one, and must go on working.
    .where(and(eq(sessions.id, sessionId), eq(sessions.tokenHash, tokenHash)));
}

/** Updates the last active day, which search filters by. Stored with day precision, for privacy. */
async function recordActivity(db: Db, userId: number, now: Date): Promise<void> {
  const today = now.toISOString().slice(0, 10);
  await db
    .update(profileSearch)
    .set({ activeOn: today })
    .where(and(eq(profileSearch.userId, userId), lt(profileSearch.activeOn, today)));
}

/**
 * Authenticates the bearer token. The first use of a renewed token ends the token before it. Also records when the session was last seen,
 * once a minute, and which changes wait on its device (X-Pending, X-Pending-Detail).
 * @returns null when there is no Authorization header
 * @throws 401 when the token is invalid or expired
 */
export async function readCaller(db: Db, request: FastifyRequest, now: Date): Promise<Caller | null> {
  const header = request.headers.authorization;
  if (header === undefined) return null;
  const token = /^Bearer +([\w-]{20,100})$/i.exec(header)?.[1];
  if (token === undefined) throw unauthorized();
  const tokenHash = hashToken(token);
  const [current] = await getSessionQuery(db).execute({ tokenHash });
  if (current && current.previousHash !== null) await endPreviousToken(db, current.sessionId, tokenHash);
  const found = current ?? (await getReplacedTokenQuery(db).execute({ tokenHash, now: now.toISOString() }))[0];
  const { lastSeenAfter, createdAfter } = getSessionCutoffs(now);
  if (found === undefined || found.lastSeenAt < lastSeenAfter || found.createdAt < createdAfter) throw unauthorized();
  const { createdAt: _, previousHash: __, lastSeenAt, pending, pendingDetail, ...caller } = found;
  const report = readPending(request);
  const said = report ?? { count: pending, text: pendingDetail };
  const isNews = said.count !== pending || said.text !== pendingDetail;
  if (isNews || now.getTime() - lastSeenAt.getTime() > LAST_SEEN_INTERVAL_MS) {
    const pendingSince =
      said.count === 0 ? null : sql`coalesce(${sessions.pendingSince}, ${now.toISOString()}::timestamptz)`;
    await db
      .update(sessions)
      .set({ lastSeenAt: now, pending: said.count, pendingDetail: said.text, pendingSince })
      .where(eq(sessions.id, found.sessionId));
    // What waited in a store that is gone must not be overwritten: the calls about devices record the loss first.
    const { deviceId } = caller;
    if (report && deviceId !== null && !hasNewStore(request))
      await hearPending(db, { ...caller, deviceId }, report, now);
    await recordActivity(db, found.userId, now);
  }
  return { ...caller, tokenHash };
}

/** Reads X-View-As. @throws 422 when it names an unknown kind of viewer */
export function readViewAs(request: FastifyRequest): Viewer | undefined {
  const header = request.headers[VIEW_AS_HEADER.toLowerCase()];
  if (header === undefined) return undefined;
  const found = VIEWERS.find((kind) => kind === header);
  if (found === undefined) throw invalid({ [VIEW_AS_HEADER]: [`Use ${VIEWERS.join(', ')}`] });
  return found;
}
