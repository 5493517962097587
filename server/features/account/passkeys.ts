import { randomBytes } from 'node:crypto';
import { and, asc, count, eq, lt, sql } from 'drizzle-orm';
import type { PasskeyRecord, RemainingPasskeys } from '#contract/records/sign-in.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { passkeys, recoveryCodes, users } from '#server/platform/db/schema.ts';
import { invalid, unauthorized } from '#server/platform/http/errors.ts';
import type { RelyingParty } from './relying-party.ts';

export type PasskeyRow = typeof passkeys.$inferSelect;

export const PASSKEY_REMOVED_TEXT = 'This passkey was removed. Use another way to sign in.';

export const presentPasskey = (row: PasskeyRow): PasskeyRecord => ({
  id: row.id,
  name: row.name,
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
  synced: row.isSynced,
});

/** The person's passkeys, oldest first. */
export const listPasskeys = (db: Db, userId: number): Promise<PasskeyRow[]> =>
  db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.createdAt), asc(passkeys.id));

/** Returns the bytes by which authenticators know the person. They are random: a passkey names nobody. */
export async function ensureWebauthnId(db: Db, userId: number): Promise<Buffer> {
  const [user] = await db
    .update(users)
    .set({ webauthnId: sql`coalesce(${users.webauthnId}, ${randomBytes(32)})` })
    .where(eq(users.id, userId))
    .returning({ webauthnId: users.webauthnId });
  if (!user?.webauthnId) throw unauthorized();
  return user.webauthnId;
}

/** Finds a passkey and its owner by the credential id. */
export async function findPasskey(
  db: Db,
  id: string,
): Promise<{ passkey: PasskeyRow; user: typeof users.$inferSelect } | null> {
  const [found] = await db
    .select({ passkey: passkeys, user: users })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.id, id));
  return found ?? null;
}

/** Records a use. @throws 422 naming `passkey` if it was removed while its answer was verified */
export async function recordUse(tx: Db, id: string, counter: number, now: Date): Promise<void> {
  const used = await tx
    .update(passkeys)
    .set({ counter, lastUsedAt: now })
    .where(eq(passkeys.id, id))
    .returning({ id: passkeys.id });
  if (used.length === 0) throw invalid({ passkey: [PASSKEY_REMOVED_TEXT] });
}

/** Locks the person, so that two requests do not together remove the last way to sign in. @returns the ways that are left */
export async function lockWays(tx: Db, userId: number): Promise<{ hasPassword: boolean; passkeyCount: number }> {
  const [user] = await tx
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, userId))
    .for('update');
  const [found] = await tx.select({ total: count() }).from(passkeys).where(eq(passkeys.userId, userId));
  return { hasPassword: user?.passwordHash != null, passkeyCount: found?.total ?? 0 };
}

/** Deletes a passkey. @returns it, or null if the person has none with this id */
export async function deletePasskey(tx: Db, userId: number, id: string): Promise<PasskeyRow | null> {
  const [gone] = await tx
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning();
  return gone ?? null;
}

/**
 * Deletes passkeys and recovery codes from before the person confirmed their address: somebody else may have registered it and kept a way
 * in. Called when the person takes the account over with a link that was sent to the address.
 */
export async function deleteUnconfirmedWays(
  tx: Db,
  { id, emailVerifiedAt }: Pick<typeof users.$inferSelect, 'id' | 'emailVerifiedAt'>,
): Promise<void> {
  const isBefore = <T extends typeof passkeys | typeof recoveryCodes>(table: T) =>
    and(eq(table.userId, id), emailVerifiedAt === null ? undefined : lt(table.createdAt, emailVerifiedAt));
  await tx.delete(passkeys).where(isBefore(passkeys));
  await tx.delete(recoveryCodes).where(isBefore(recoveryCodes));
}

/** What the browser tells its password manager after a passkey is gone. */
export async function presentRemaining(tx: Db, userId: number, { id }: RelyingParty): Promise<RemainingPasskeys> {
  const left = await listPasskeys(tx, userId);
  const handle = await ensureWebauthnId(tx, userId);
  return { rp_id: id, user_handle: handle.toString('base64url'), credential_ids: left.map((each) => each.id) };
}
