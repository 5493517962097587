import { and, eq, or } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { users } from '#server/platform/db/schema.ts';

/**
 * Notes that mail does not reach a person at this address, if it is still theirs. The app tells them, and until they confirm an address
 * they get only the mails that cannot be switched off.
 */
export async function noteUnreachable(db: Db, userId: number, address: string): Promise<void> {
  await db
    .update(users)
    .set({ unreachableEmail: address })
    .where(and(eq(users.id, userId), or(eq(users.email, address), eq(users.pendingEmail, address))));
}
