import { randomBytes } from 'node:crypto';
import { and, desc, eq, inArray, lt, ne, or, sql } from 'drizzle-orm';
import type { Privacy, SessionRecord, SettingsRecord, User } from '#contract/records/account.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { lockPerson } from '#server/platform/db/lock-person.ts';
import { ChangeLog } from '#server/platform/db/change-log.ts';
import { listHidden } from '#server/platform/db/restrictions.ts';
import { devices, sessions, users, type SignInMethod } from '#server/platform/db/schema.ts';
import { getSessionCutoffs, createToken, type Caller } from '#server/platform/http/caller.ts';
import { unauthorized } from '#server/platform/http/errors.ts';
import { completeSettings } from '#server/features/push/settings.ts';
import { isAddressConfirmed, type AddressState } from '#server/platform/access/address-state.ts';
import { findNextQuestion } from './questions.ts';
import { buildSlug } from './slug.ts';

type UserRow = typeof users.$inferSelect;
type UserInsert = typeof users.$inferInsert;

export async function presentUser(
  db: Db,
  user: Pick<UserRow, 'name' | 'mustConfirmEmail' | 'pendingEmail' | 'bornOn' | 'isMinor' | 'role' | 'state'> &
    AddressState & { userId: number },
  now: Date,
): Promise<User> {
  const { email, pendingEmail, unreachableEmail } = user;
  return {
    id: String(user.userId),
    name: user.name,
    email,
    email_verified: isAddressConfirmed(user),
    must_confirm_email: user.mustConfirmEmail,
    pending_email: pendingEmail,
    unreachable_email: [email, pendingEmail].includes(unreachableEmail) ? unreachableEmail : null,
    asks: await findNextQuestion(db, user, now),
    role: user.role,
    is_suspended: user.state === 'suspended',
    hidden_by_desk: await listHidden(db, user.userId),
  };
}

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | null> {
  const [found] = await db.select().from(users).where(eq(users.email, email));
  return found ?? null;
}

/** Loads a person and locks their row until the commit; null if the account has just been deleted. */
export async function lockUserIfThere(tx: Db, userId: number): Promise<UserRow | null> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update');
  return user ?? null;
}

/** Loads a person and locks their row until the commit. @throws 401 if the account has just been deleted */
export async function lockUser(tx: Db, userId: number): Promise<UserRow> {
  const user = await lockUserIfThere(tx, userId);
  if (user === null) throw unauthorized();
  return user;
}

/** Adds a person under the first free slug of their name; null when the e-mail address is taken. */
export async function addUser(
  db: Db,
  person: Pick<UserRow, 'name' | 'email' | 'passwordHash' | 'createdAt'> &
    Pick<UserInsert, 'emailVerifiedAt' | 'mustConfirmEmail' | 'bornOn' | 'isMinor' | 'privacy'>,
): Promise<UserRow | null> {
  for (let attempt = 1; ; attempt += 1) {
    // Common names: after five attempts, try a random suffix.
    const number = attempt <= 5 ? attempt : randomBytes(4).readUInt32BE();
    const [added] = await db
      .insert(users)
      .values({ ...person, slug: buildSlug(person.name, number) })
      .onConflictDoNothing()
      .returning();
    if (added) return added;
    if ((await findUserByEmail(db, person.email)) !== null) return null;
  }
}

/** Maximum number of signed-in devices per person. */
const MAX_SESSIONS_PER_PERSON = 30;

/**
 * Signs a device in.
 * @returns the token, of which only the hash is stored, and the sessions that ended: the oldest, where there were too many
 */
export async function addSession(
  db: Db,
  userId: number,
  device: string,
  now: Date,
  { method = 'password', deviceId = null }: { method?: SignInMethod; deviceId?: string | null } = {},
): Promise<{ token: string; ended: number[] }> {
  const { token, tokenHash } = createToken();
  const times = { createdAt: now, lastSeenAt: now, reauthAt: now };
  await db.insert(sessions).values({ userId, tokenHash, device, deviceId, method, ...times });
  const surplus = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
    .offset(MAX_SESSIONS_PER_PERSON);
  const ended = await db.delete(sessions).where(inArray(sessions.id, surplus)).returning({ id: sessions.id });
  return { token, ended: ended.map(({ id }) => id) };
}

/** How long a replaced token works if the device never uses the new one, because the answer with it was lost. */
const PREVIOUS_TOKEN_MS = 10 * 60_000;

/**
 * Gives the caller's session a new token, after the person has proved who they are. A copy of the old token dies with the first use of
 * the new one. A caller who never got the new token can ask again with the old one.
 * @param method the way the person proved it, if it is stronger than the sign-in
 * @throws 401 when the session has ended, or its token was replaced by another request and used
 */
export async function renewToken(
  tx: Db,
  caller: Pick<Caller, 'sessionId' | 'tokenHash'>,
  now: Date,
  method?: SignInMethod,
): Promise<string> {
  const { token, tokenHash } = createToken();
  const previousUntil = new Date(now.getTime() + PREVIOUS_TOKEN_MS);
  const renewed = await tx
    .update(sessions)
    .set({ tokenHash, previousHash: caller.tokenHash, previousUntil, reauthAt: now, ...(method && { method }) })
    .where(
      and(
        eq(sessions.id, caller.sessionId),
        or(eq(sessions.tokenHash, caller.tokenHash), eq(sessions.previousHash, caller.tokenHash)),
      ),
    )
    .returning({ id: sessions.id });
  if (renewed.length === 0) throw unauthorized();
  return token;
}

const EXPIRED_BATCH_SIZE = 500;

/** Deletes expired sessions, which closes their live sockets. */
export async function endExpiredSessions(db: Db, now: Date): Promise<void> {
  const { lastSeenAfter, createdAfter } = getSessionCutoffs(now);
  const isExpired = or(lt(sessions.lastSeenAt, lastSeenAfter), lt(sessions.createdAt, createdAfter));
  for (let count = EXPIRED_BATCH_SIZE; count === EXPIRED_BATCH_SIZE;) {
    count = await db.transaction(async (tx) => {
      const some = tx.select({ id: sessions.id }).from(sessions).where(isExpired).limit(EXPIRED_BATCH_SIZE);
      const ended = await tx
        .delete(sessions)
        .where(and(inArray(sessions.id, some), isExpired))
        .returning({ id: sessions.id, userId: sessions.userId });
      const changes = new ChangeLog();
      for (const { id, userId } of ended) changes.publishSignOut(userId, id);
      await changes.flush(tx, now);
      return ended.length;
    });
  }
}

/**
 * Deletes all sessions of a person, which closes their live sockets. Waits for a sign-in that is being stored: its session could not be
 * seen yet, and would stay.
 * @param but the session to keep
 */
export async function endAllSessions(tx: Db, changes: ChangeLog, userId: number, but?: number): Promise<void> {
  await lockPerson(tx, userId);
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), but === undefined ? undefined : ne(sessions.id, but)))
    .returning({ id: sessions.id });
  for (const { id } of ended) changes.publishSignOut(userId, id);
}

/** @returns false if the person has no such session */
export async function endSession(tx: Db, changes: ChangeLog, userId: number, sessionId: number): Promise<boolean> {
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)))
    .returning({ id: sessions.id });
  for (const { id } of ended) changes.publishSignOut(userId, id);
  return ended.length > 0;
}

/** The person's sessions, most recently used first. */
export async function listSessions(db: Db, userId: number, currentId: number): Promise<SessionRecord[]> {
  const rows = await db
    .select({ row: sessions, place: devices.place })
    .from(sessions)
    .leftJoin(devices, eq(devices.id, sessions.deviceId))
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id));
  return rows.map(({ row, place }) => ({
    id: String(row.id),
    device: row.device,
    place,
    created_at: row.createdAt.toISOString(),
    last_seen_at: row.lastSeenAt.toISOString(),
    pending: row.pending,
    current: row.id === currentId,
  }));
}

export async function getPasswordHash(db: Db, userId: number): Promise<string | null> {
  const [found] = await db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId));
  return found?.passwordHash ?? null;
}

/**
 * Sets a new password and ends every session but this one.
 * @param before the stored hash that the current password was verified against
 * @returns false if the password has changed since
 */
export async function changePassword(
  tx: Db,
  changes: ChangeLog,
  { userId, sessionId }: { userId: number; sessionId: number },
  before: string,
  passwordHash: string,
): Promise<boolean> {
  const changed = await tx
    .update(users)
    .set({ passwordHash })
    .where(and(eq(users.id, userId), eq(users.passwordHash, before)))
    .returning({ id: users.id });
  if (changed.length === 0) return false;
  await endAllSessions(tx, changes, userId, sessionId);
  return true;
}

type Settings = Pick<
  UserRow,
  | 'readReceipts'
  | 'auditionReceipts'
  | 'signInMail'
  | 'newsMail'
  | 'messageMail'
  | 'privacy'
  | 'push'
  | 'availabilityFor'
>;

export const presentSettings = (settings: Settings): SettingsRecord => ({
  read_receipts: settings.readReceipts,
  audition_receipts: settings.auditionReceipts,
  sign_in_mail: settings.signInMail,
  news_mail: settings.newsMail,
  message_mail: settings.messageMail,
  privacy: settings.privacy,
  push: completeSettings(settings.push),
  availability_for: settings.availabilityFor,
});

export async function getSettings(db: Db, userId: number): Promise<Settings> {
  const { readReceipts, auditionReceipts, signInMail, newsMail, messageMail } = users;
  const { privacy, push, availabilityFor } = users;
  const mail = { signInMail, newsMail, messageMail };
  const [found] = await db
    .select({ readReceipts, auditionReceipts, ...mail, privacy, push, availabilityFor })
    .from(users)
    .where(eq(users.id, userId));
  if (found === undefined) throw unauthorized();
  return found;
}

/** Settings that are undefined stay as they are, also those of `privacy`. */
export async function changeSettings(
  db: Db,
  userId: number,
  { privacy, ...settings }: Partial<Omit<Settings, 'privacy' | 'push'> & { privacy: Partial<Privacy> }>,
): Promise<void> {
  if ([...Object.values(settings), privacy].every((value) => value === undefined)) return;
  const merged = privacy && sql<Privacy>`${users.privacy} || ${JSON.stringify(privacy)}::jsonb`;
  await db
    .update(users)
    .set({ ...settings, privacy: merged })
    .where(eq(users.id, userId));
}
