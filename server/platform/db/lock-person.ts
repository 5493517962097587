import { eq } from 'drizzle-orm';
import type { Db } from './connect.ts';
import { users } from './schema.ts';

/** Locks a user's row until the commit, so that concurrent submissions of the same user run one after the other. */
export async function lockPerson(tx: Db, userId: number): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}
