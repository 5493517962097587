import { randomInt } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { ChangeLog, LIVE_OUTBOX_CHANNEL } from '#server/platform/db/change-log.ts';
import { users } from '#server/platform/db/schema.ts';
import { hashPassword } from './passwords.ts';
import { endAllSessions } from './store.ts';

/** Without letters and digits that look alike: it is read aloud on the telephone. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

function newPassword(): string {
  const group = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: 4 }, group).join('-');
}

/** Gives a person a new password and signs all their devices out. @returns the password, null where nobody has this address */
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
    // Sent with the commit. The sockets are those of a server in another process.
    await tx.execute(sql`select pg_notify(${LIVE_OUTBOX_CHANNEL}, '')`);
    return password;
  });
}
