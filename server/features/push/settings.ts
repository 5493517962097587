import { eq } from 'drizzle-orm';
import { PUSH_KIND_NAMES, type PushKindName } from '#contract/push-kind-names.ts';
import { PUSH_KINDS } from '#contract/push-kinds.ts';
import type { PushSettings, PushSettingsChange } from '#contract/records/push.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { users } from '#server/platform/db/schema.ts';

/** Completes what a person has changed with what holds by default. */
export function completeSettings(changed: PushSettingsChange | null): PushSettings {
  const kinds = Object.fromEntries(
    PUSH_KIND_NAMES.map((name) => [name, changed?.kinds?.[name] ?? PUSH_KINDS[name].isOnByDefault]),
  ) as Record<PushKindName, boolean>;
  return { kinds, quiet: changed?.quiet ?? null, hide_names: changed?.hide_names ?? false };
}

export async function getPushSettings(db: Db, userId: number): Promise<PushSettings> {
  const [found] = await db.select({ push: users.push }).from(users).where(eq(users.id, userId));
  return completeSettings(found?.push ?? null);
}

/** What is absent stays as it is. Locks the person, so that two changes at once both hold. */
export async function changePushSettings(tx: Db, userId: number, change: PushSettingsChange): Promise<void> {
  const [found] = await tx.select({ push: users.push }).from(users).where(eq(users.id, userId)).for('no key update');
  const before = found?.push ?? {};
  const push = { ...before, ...change, kinds: { ...before.kinds, ...change.kinds } };
  await tx.update(users).set({ push }).where(eq(users.id, userId));
}
