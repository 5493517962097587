import { createHash } from 'node:crypto';
import { and, desc, eq, exists, gt, isNotNull, isNull, lt, ne, not, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { PENDING_KINDS, type PendingKinds } from '#contract/pending.ts';
import type { LostRecord } from '#contract/records/devices.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { deleteInBatches } from '#server/platform/db/delete-in-batches.ts';
import { devices, sessions, type LostChanges } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { hearPending, type PendingReport } from '#server/platform/http/pending.ts';

type DeviceRow = typeof devices.$inferSelect;
/** A caller whose session belongs to a device. */
type DeviceCaller = Pick<Caller, 'userId' | 'sessionId'> & { deviceId: string };

const HOUR_MS = 3_600_000;
/** After this long in silence, a device may have had further changes. */
const SILENCE_MS = 24 * HOUR_MS;
/** What waits on a signed-out device, and what was lost, is forgotten after this long. */
const RETENTION_MS = 180 * 24 * HOUR_MS;

/** Records a device of a person, or that it signs in again. @param nonce the number in its cookie @returns its id */
export async function putDevice(
  db: Db,
  userId: number,
  nonce: string,
  about: Pick<DeviceRow, 'name' | 'place'>,
  now: Date,
): Promise<string> {
  const key = createHash('sha256').update(nonce).digest('hex');
  const [device] = await db
    .insert(devices)
    .values({ userId, key, ...about, createdAt: now, heardAt: now })
    .onConflictDoUpdate({ target: [devices.userId, devices.key], set: about })
    .returning({ id: devices.id });
  return device!.id;
}

/** The changes of two losses together. */
function addLosses(one: LostChanges | null, other: LostChanges): LostChanges {
  if (one === null) return other;
  const kinds: PendingKinds = {};
  for (const kind of PENDING_KINDS) {
    const sum = (one.kinds[kind] ?? 0) + (other.kinds[kind] ?? 0);
    if (sum > 0) kinds[kind] = sum;
  }
  const [since] = [one.since, other.since].sort();
  return { kinds, since: since!, heardAt: other.heardAt };
}

/**
 * Records that the device begins with an empty store: what it said was waiting is lost. Done twice, it changes nothing more.
 */
async function recordEmptyStore(tx: Db, { deviceId, sessionId, userId }: DeviceCaller, now: Date): Promise<void> {
  const [device] = await tx.select().from(devices).where(eq(devices.id, deviceId)).for('update');
  if (device === undefined) return;
  const { kinds, oldestAt, heardAt, heardFrom } = device;
  const isLoss = device.pending > 0 && kinds !== null && oldestAt !== null;
  const loss = isLoss && {
    lost: addLosses(device.lost, { kinds, since: oldestAt.toISOString(), heardAt: heardAt.toISOString() }),
    lostAt: now,
    lostFrom: heardFrom === sessionId ? null : heardFrom,
  };
  await tx
    .update(devices)
    .set({ ...loss, pending: 0, kinds: null, oldestAt: null, emptiedAt: now })
    .where(eq(devices.id, deviceId));
  // Earlier sessions of this store ended without a word when the browser deleted their token.
  await tx
    .update(sessions)
    .set({ pending: 0, pendingDetail: null, pendingSince: null })
    .where(and(eq(sessions.userId, userId), eq(sessions.deviceId, deviceId), ne(sessions.id, sessionId)));
}

/** Records what a device says waits there, and first, if its store is new, that the earlier one is gone. */
export async function hearDevice(
  tx: Db,
  caller: DeviceCaller,
  { report, hasNewStore }: { report: PendingReport; hasNewStore: boolean },
  now: Date,
): Promise<void> {
  if (hasNewStore) await recordEmptyStore(tx, caller, now);
  await hearPending(tx, caller, report, now);
}

/** Records to which device a session from before devices were recorded belongs. */
export async function attachDevice(tx: Db, sessionId: number, deviceId: string): Promise<void> {
  await tx.update(sessions).set({ deviceId }).where(eq(sessions.id, sessionId));
}

/** Changes that waited on a device when it was last heard, of which nobody knows whether they are lost. */
const hasWaiting = and(gt(devices.pending, 0), isNotNull(devices.kinds), isNotNull(devices.oldestAt));

/**
 * Devices whose store may be gone without their cookie: another device of the same name began with an empty store after the last word from
 * this one, and none of its sessions has been used since.
 */
function findSilent(db: Db, userId: number) {
  const newer = alias(devices, 'newer');
  const isReplaced = exists(
    db
      .select({ id: newer.id })
      .from(newer)
      .where(
        and(
          eq(newer.userId, devices.userId),
          eq(newer.name, devices.name),
          ne(newer.id, devices.id),
          // A device that was known before has lost its own store, not that of this one.
          gt(newer.createdAt, devices.heardAt),
          gt(newer.emptiedAt, devices.heardAt),
        ),
      ),
  );
  const isUsed = exists(
    db
      .select({ id: sessions.id })
      .from(sessions)
      .where(
        and(eq(sessions.deviceId, devices.id), sql`${sessions.lastSeenAt} > ${devices.heardAt} + interval '2 minutes'`),
      ),
  );
  const isUntold = or(isNull(devices.toldAt), lt(devices.toldAt, devices.heardAt));
  return db
    .select()
    .from(devices)
    .where(and(eq(devices.userId, userId), hasWaiting, isUntold, isReplaced, not(isUsed)));
}

/** What never arrived from the person's devices, and what may not, the latest first. */
export async function listLost(db: Db, caller: Pick<Caller, 'userId' | 'deviceId'>, now: Date): Promise<LostRecord[]> {
  const { userId } = caller;
  const lost = await db
    .select()
    .from(devices)
    .where(and(eq(devices.userId, userId), isNotNull(devices.lost)))
    .orderBy(desc(devices.lostAt));
  const present = (device: DeviceRow, { kinds, since, heardAt }: LostChanges, until: Date, certain: boolean) => ({
    id: device.id,
    name: device.name,
    current: device.id === caller.deviceId,
    kinds,
    since,
    heard_at: heardAt,
    certain,
    at_least: until.getTime() - Date.parse(heardAt) >= SILENCE_MS,
  });
  const certain = lost.map((device) => present(device, device.lost!, device.lostAt!, true));
  const uncertain = (await findSilent(db, userId)).map((device) => {
    const changes = {
      kinds: device.kinds!,
      since: device.oldestAt!.toISOString(),
      heardAt: device.heardAt.toISOString(),
    };
    return present(device, changes, now, false);
  });
  return [...certain, ...uncertain];
}

/** Forgets the lost changes of a device once the person has been told. @returns false if the person has no such device */
export async function dismissLost(db: Db, userId: number, id: string, now: Date): Promise<boolean> {
  const told = await db
    .update(devices)
    .set({ lost: null, lostAt: null, lostFrom: null, toldAt: now })
    .where(and(eq(devices.id, id), eq(devices.userId, userId)))
    .returning({ id: devices.id });
  return told.length > 0;
}

/** Deletes devices that nobody is signed in on, and of which there is nothing to tell or which have been silent for half a year. */
export async function deleteOldDevices(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - RETENTION_MS);
  await db.update(devices).set({ lost: null, lostAt: null, lostFrom: null }).where(lt(devices.lostAt, before));
  const isUnused = not(exists(db.select({ id: sessions.id }).from(sessions).where(eq(sessions.deviceId, devices.id))));
  const hasNothing = and(eq(devices.pending, 0), isNull(devices.lost));
  await deleteInBatches(db, devices, and(isUnused, or(hasNothing, lt(devices.heardAt, before)))!);
}

/** What is stored about the person's devices, for the export. */
export async function exportDevices(db: Db, userId: number) {
  const rows = await db.select().from(devices).where(eq(devices.userId, userId)).orderBy(devices.createdAt);
  return rows.map(({ name, place, pending, kinds, oldestAt, heardAt, lost }) => ({
    name,
    place,
    pending,
    kinds,
    since: oldestAt?.toISOString() ?? null,
    heard_at: heardAt.toISOString(),
    lost,
  }));
}
