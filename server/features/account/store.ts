import { randomBytes } from 'node:crypto';
import { and, desc, eq, ne } from 'drizzle-orm';
import type { SessionRecord, User } from '#contract/records/account.ts';
import type { Db } from '#server/db/connect.ts';
import type { ChangeLog } from '#server/db/feed.ts';
import { sessions, users } from '#server/db/schema.ts';
import { newToken } from '#server/http/caller.ts';
import { slugFor } from './slug.ts';

type UserRow = typeof users.$inferSelect;

export function presentUser(user: { userId: number; name: string; email: string }): User {
  return { id: String(user.userId), name: user.name, email: user.email };
}

export async function userByEmail(db: Db, email: string): Promise<UserRow | null> {
  const [found] = await db.select().from(users).where(eq(users.email, email));
  return found ?? null;
}

/** Adds a person under the first free slug of their name; null when the e-mail address is taken. */
export async function addUser(
  db: Db,
  person: { name: string; email: string; passwordHash: string; createdAt: Date },
): Promise<UserRow | null> {
  for (let attempt = 1; ; attempt += 1) {
    // Many share a name: after some tries a number nobody has.
    const number = attempt <= 5 ? attempt : randomBytes(4).readUInt32BE();
    const [added] = await db
      .insert(users)
      .values({ ...person, slug: slugFor(person.name, number) })
      .onConflictDoNothing()
      .returning();
    if (added) return added;
    if ((await userByEmail(db, person.email)) !== null) return null;
  }
}

/** Signs a device in. @returns the token; only its hash is stored */
export async function addSession(db: Db, userId: number, device: string, now: Date): Promise<string> {
  const { token, tokenHash } = newToken();
  await db.insert(sessions).values({ userId, tokenHash, device, createdAt: now, lastSeenAt: now });
  return token;
}

/** Ends a session of this person. @returns false when there is none of that id */
/** @returns false where there is no such session of theirs */
export async function endSession(tx: Db, changes: ChangeLog, userId: number, sessionId: number): Promise<boolean> {
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)))
    .returning({ id: sessions.id });
  for (const { id } of ended) changes.signedOut(userId, id);
  return ended.length > 0;
}

/** The person's signed-in devices, the last seen first. */
export async function sessionsOf(db: Db, userId: number, currentId: number): Promise<SessionRecord[]> {
  const rows = await db
    .select()
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id));
  return rows.map((row) => ({
    id: String(row.id),
    device: row.device,
    created_at: row.createdAt.toISOString(),
    last_seen_at: row.lastSeenAt.toISOString(),
    pending: row.pending,
    current: row.id === currentId,
  }));
}

export async function passwordHashOf(db: Db, userId: number): Promise<string | null> {
  const [found] = await db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId));
  return found?.passwordHash ?? null;
}

/**
 * Sets a new password and ends every session but this one.
 * @param before the stored hash that was looked at
 * @returns false where the password was changed in the meantime
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
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.id, sessionId)))
    .returning({ id: sessions.id });
  for (const { id } of ended) changes.signedOut(userId, id);
  return true;
}

interface Settings {
  readReceipts: boolean;
}

export async function settingsOf(db: Db, userId: number): Promise<Settings> {
  const [found] = await db.select({ readReceipts: users.readReceipts }).from(users).where(eq(users.id, userId));
  if (found === undefined) throw new Error('The caller is gone');
  return found;
}

export async function changeSettings(db: Db, userId: number, settings: Settings): Promise<void> {
  await db.update(users).set(settings).where(eq(users.id, userId));
}
