import { and, eq, inArray, sql } from 'drizzle-orm';
import { getCurrentVersion, LEGAL_DOCUMENTS } from '#contract/legal.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { consents, profiles, restrictions, users } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { needsBornOn, needsConfirmedEmail, needsGuardian } from '#server/platform/http/errors.ts';
import { findGuardian } from './guardians.ts';
import type { ProfileRow } from './profiles.ts';
import { recordForWatchers } from './watchers.ts';

/**
 * Why profiles that their owner made active are withheld from everybody else. A new account may belong to somebody who does not own its
 * address, so it waits for the confirmation. The page of a minor waits for a guardian. A page that becomes public waits for its owner to
 * agree to the current texts; one that is public stays so when the texts change. What people write for themselves is stored as usual.
 * The desk suspends a person or hides one profile.
 */
type Reason = ProfileRow['withheld'];

/** Whether the person, a minor, has a guardian who agrees that others see them. */
const hasConsentOfGuardian = async (db: Db, userId: number): Promise<boolean> =>
  (await findGuardian(db, userId))?.state === 'agreed';

/** Whether the person has agreed to the current version of every text. */
export async function hasAgreed(db: Db, userId: number): Promise<boolean> {
  const agreed = await db
    .selectDistinct({ document: consents.document, version: consents.version })
    .from(consents)
    .where(eq(consents.userId, userId));
  return LEGAL_DOCUMENTS.every((document) =>
    agreed.some((each) => each.document === document && each.version === getCurrentVersion(document).version),
  );
}

type Person = Pick<typeof users.$inferSelect, 'id' | 'state' | 'mustConfirmEmail' | 'isMinor'>;

/** Why nobody else sees any profile of the person; null if nothing stands in the way. */
async function findReason(tx: Db, user: Person): Promise<Reason> {
  if (user.state !== 'active') return 'suspended';
  if (user.mustConfirmEmail) return 'email';
  return user.isMinor && !(await hasConsentOfGuardian(tx, user.id)) ? 'guardian' : null;
}

/** Whether the desk hides this one profile. */
const isHidden = (profileId: number | typeof profiles.id) => sql<boolean>`exists (
  select from ${restrictions} where ${restrictions.targetType} = 'profile' and ${restrictions.targetId} = ${profileId}
    and ${restrictions.liftedAt} is null)`;

/**
 * Whether the desk withholds a profile from everybody else: its owner is suspended or removed, or it is hidden. `withheld` has only the first
 * reason, which may be another one.
 */
export const isWithheldByDesk = sql<boolean>`(${isHidden(profiles.id)} or exists (
  select from ${users} where ${users.id} = ${profiles.userId} and ${users.state} <> 'active'))`;

async function lockPersonState(tx: Db, userId: number): Promise<Person | undefined> {
  const { id, state, mustConfirmEmail, isMinor } = users;
  const [user] = await tx
    .select({ id, state, mustConfirmEmail, isMinor })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update');
  return user;
}

/**
 * Reads why a profile that becomes active is withheld from others. Locks the person until the commit, so that a confirmation at the same
 * moment either comes first or finds the profile. @param profileId absent: the profile is new
 */
export async function lockWithholding(tx: Db, userId: number, profileId?: number): Promise<Reason> {
  const user = await lockPersonState(tx, userId);
  if (user === undefined) return null;
  const reason = await findReason(tx, user);
  if (reason !== null) return reason;
  const found =
    profileId === undefined
      ? []
      : (await tx.execute<{ hidden: boolean }>(sql`select ${isHidden(profileId)} as hidden`)).rows;
  if (found[0]?.hidden) return 'hidden';
  return (await hasAgreed(tx, userId)) ? null : 'consent';
}

/**
 * Shows or withholds a person's profiles after a change of what that depends on: the address, the age, the guardian, what they agreed to,
 * what the desk decided.
 * Takes the lock of the person.
 */
export async function updateWithholding(tx: Db, changes: ChangeLog, userId: number): Promise<void> {
  const user = await lockPersonState(tx, userId);
  if (user === undefined) return;
  const reason = await findReason(tx, user);
  // Only a profile that was not public yet waits for the texts. What the desk did in between does not count.
  const agreed = await hasAgreed(tx, userId);
  const waits = (...reasons: NonNullable<Reason>[]) =>
    sql`(not ${agreed}::boolean and ${inArray(profiles.withheld, reasons)})`;
  const withheld = sql<Reason>`case
    when ${waits('consent')} then 'consent'
    when ${reason}::text is not null then ${reason}::text
    when ${isHidden(profiles.id)} then 'hidden'
    when ${waits('email', 'guardian')} then 'consent' end`;
  const changed = await tx
    .update(profiles)
    .set({ withheld })
    .where(and(eq(profiles.userId, userId), sql`${profiles.withheld} is distinct from ${withheld}`))
    .returning({ id: profiles.id, userId: profiles.userId });
  for (const profile of changed) {
    // The owner's devices say who sees the page.
    changes.recordChange(profile.userId, 'profile', String(profile.id), null);
    await recordForWatchers(tx, changes, profile);
  }
}

/** Protects a person who turns out to be under 18, from this transaction on. From then on, the date of birth is theirs. */
export async function protect(tx: Db, changes: ChangeLog, userId: number, bornOn: string): Promise<void> {
  await tx.update(users).set({ isMinor: true, bornOn }).where(eq(users.id, userId));
  await updateWithholding(tx, changes, userId);
}

/** Whether the caller may reach other people: the address is confirmed where it must be, and of a minor a guardian has agreed. */
export const mayReach = async (db: Db, caller: Caller): Promise<boolean> =>
  !caller.mustConfirmEmail && (!caller.isMinor || (await hasConsentOfGuardian(db, caller.userId)));

/**
 * @throws 403 with the reason 'verify' if the caller may not reach other people yet: the address has to be confirmed, or a guardian has to
 * agree. The app keeps the change and sends it again later.
 */
export async function requireMayReach(db: Db, caller: Caller): Promise<void> {
  if (await mayReach(db, caller)) return;
  if (caller.mustConfirmEmail) throw needsConfirmedEmail();
  throw caller.bornOn === null ? needsBornOn() : needsGuardian();
}
