import { eq } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { users } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { forbidden, notFound, unprocessable } from '#server/platform/http/errors.ts';

export type UserRow = typeof users.$inferSelect;

/** Locks a person for an act or its undoing. @throws 404 if the account is gone */
export async function lockPersonRow(tx: Db, id: number): Promise<UserRow> {
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for('no key update');
  if (user === undefined) throw notFound('person');
  return user;
}

/**
 * Locks a person whom an act shuts out. An operator has to stop being one first, by a command on the machine, so that nobody shuts
 * the people out by mistake who could take it back.
 * @throws as `lockConcerned`, and 403 for an operator
 */
export async function lockShutOut(tx: Db, actor: Caller, id: number): Promise<UserRow> {
  const user = await lockConcerned(tx, actor, id);
  if (user.role === 'operator') {
    throw forbidden('This person is an operator. End that first, with npm run operator on the server');
  }
  return user;
}

/**
 * Locks a person whom an act concerns.
 * @throws 422 for oneself, 403 for a moderator who acts on somebody who works at the desk
 */
export async function lockConcerned(tx: Db, actor: Caller, id: number): Promise<UserRow> {
  if (id === actor.userId) throw unprocessable('You cannot do this to yourself');
  const user = await lockPersonRow(tx, id);
  if (user.role !== 'person' && actor.role !== 'operator') {
    throw forbidden('Only an operator can do this to somebody who works at the desk');
  }
  return user;
}
