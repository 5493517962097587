import { randomInt } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { ChangeLog, LIVE_OUTBOX_CHANNEL } from '#server/platform/db/change-log.ts';
import { users } from '#server/platform/db/schema.ts';
import { hashPassword } from './passwords.ts';
import { endAllSessions } from './store.ts';

/** Omits characters that look alike, because the password is read aloud over the telephone. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

function newPassword(): string {
  const group = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: 4 }, group).join('-');
}

/** Sets a random password and signs out all devices. @returns the password, or null if no account has this e-mail address */
export async function resetPassword(db: Db, email: string, now = new Date()): Promise<string | null> {
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    const changes = new ChangeLog();
    const [user] = await tx
      .update(users)
      .set({ passwordHash })
      .where(eq(users.email, email.trim().toLowerCase()))
      .returning({ id: users.id });
    if (user === undefined) return null;
    await endAllSessions(tx, changes, user.id);
    await changes.flush(tx, now);
    // Delivered through the database on commit, because the sockets belong to another process.
    await tx.execute(sql`select pg_notify(${LIVE_OUTBOX_CHANNEL}, '')`);
    return password;
  });
}
