import { eq } from 'drizzle-orm';
import type { Db } from './connect.ts';
import { users } from './schema.ts';

/** Holds a person until the commit, so that two of their submissions see each other. */
export async function lockPerson(tx: Db, userId: number): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}
