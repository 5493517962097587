import { randomUUID } from 'node:crypto';
import { eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { buildApp } from '#server/app.ts';
import { noteErasures, readErasures, type Erasure } from '#server/features/account/erasure-file.ts';
import { removePerson } from '#server/features/account/remove.ts';
import { systemClock } from '#server/platform/clock.ts';
import type { Config } from '#server/platform/config.ts';
import { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Database, Db } from '#server/platform/db/connect.ts';
import {
  castingLinks,
  deliveries,
  erasures,
  installation,
  mails,
  notifications,
  sessions,
  users,
} from '#server/platform/db/schema.ts';
import type { Storage } from '#server/platform/storage/storage.ts';
import { addRecordTypes } from '#server/read-models/sync/store.ts';

/** The deletions of accounts that these folders know of, for one Callboard. Each account once. */
export async function collectErasures(folders: readonly string[], installationId: string): Promise<Erasure[]> {
  const found = new Map<number, Erasure>();
  for (const folder of folders) {
    for (const erasure of await readErasures(folder)) {
      // Another Callboard numbers its people from 1 too.
      if (erasure.installation === installationId && !found.has(erasure.user)) found.set(erasure.user, erasure);
    }
  }
  return [...found.values()].sort((a, b) => a.user - b.user);
}

/**
 * Deletes the accounts again that were deleted after the backup was made, and notes all of them in the database.
 * @returns how many there were in it
 */
async function eraseAgain(db: Db, known: readonly Erasure[]): Promise<number> {
  let erased = 0;
  for (const { user, at } of known) {
    const time = new Date(at);
    const [person] = await db.select({ id: users.id }).from(users).where(eq(users.id, user));
    if (person === undefined) {
      // The backup is from before they joined. A later one has them, and who restores that must know of the deletion from here.
      await db.insert(erasures).values({ userId: user, erasedAt: time }).onConflictDoNothing();
      continue;
    }
    await db.transaction(async (tx) => {
      const changes = new ChangeLog();
      await removePerson(tx, changes, user, time);
      await changes.flush(tx, time);
    });
    erased += 1;
  }
  return erased;
}

/**
 * Gives the number of a deleted account to nobody else. The same backup, restored twice, gives the same numbers again, and whoever got one would
 * be deleted by the next restore.
 */
async function skipNumbers(db: Db, known: readonly Erasure[]): Promise<void> {
  const last = known.reduce((most, { user }) => Math.max(most, user), 0);
  const sequence = sql`pg_get_serial_sequence('public.users', 'id')`;
  await db.execute(sql`select setval(${sequence}, greatest(nextval(${sequence}), ${last}::bigint))`);
}

/** The deletions that the database knows of. */
async function listErasures(db: Db, installationId: string): Promise<Erasure[]> {
  const rows = await db.select().from(erasures);
  return rows.map(({ userId, erasedAt }) => ({
    installation: installationId,
    user: userId,
    at: erasedAt.toISOString(),
  }));
}

/** Ends every share link: some may have been revoked after the backup was made, and a backup cannot know which. */
async function endShareLinks(db: Db): Promise<void> {
  const { revokedAt } = castingLinks;
  const at = new Date();
  const ended = { revokedAt: at, revokedBy: 'restore' as const, updatedAt: at };
  await db.update(castingLinks).set(ended).where(isNull(revokedAt));
}

/** More than a record is changed between two backups. */
const VERSION_GAP = 1_000_000;

/**
 * Raises the version of every record, so that none is given a second time: a device may know a later one from the time after the backup. It
 * would not take the older record, and a change that is based on what was lost would pass as based on what there is.
 */
async function raiseVersions(db: Db): Promise<void> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'version' and data_type = 'integer'`);
  for (const { name } of rows) {
    await db.execute(sql`update ${sql.identifier(name)} set version = version + ${VERSION_GAP}`);
  }
}

export interface Changed {
  droppedMails: number;
  erasedAgain: number;
  endedSessions: number;
}

interface Options {
  known: readonly Erasure[];
  installationId: string;
  endSessions: boolean;
  /** The data directory of the restored server. */
  folder: string;
}

/** Changes what a database must not keep from the time of its backup. */
export async function settle(
  { db }: Database,
  { known, installationId, endSessions, folder }: Options,
): Promise<Changed> {
  // Cursors of devices are ahead of this database: with another epoch, they pull everything again.
  await db.update(installation).set({ epoch: randomUUID().slice(0, 8) });
  const dropped = await db
    .update(mails)
    .set({ state: 'dropped', lastCode: 'restored', endedAt: new Date() })
    .where(inArray(mails.state, ['queued']));
  await db
    .update(deliveries)
    .set({ state: 'dropped', code: 'restored', at: new Date() })
    .where(inArray(deliveries.state, ['queued', 'held']));
  // Mails about them may have gone out after the backup was made.
  await db.update(notifications).set({ mailWaitsSince: null }).where(isNotNull(notifications.mailWaitsSince));
  await endShareLinks(db);
  await raiseVersions(db);
  const ended = endSessions ? await db.delete(sessions) : null;
  const erasedAgain = await eraseAgain(db, known);
  await skipNumbers(db, known);
  await noteErasures(folder, await listErasures(db, installationId));
  return { droppedMails: dropped.rowCount ?? 0, erasedAgain, endedSessions: ended?.rowCount ?? 0 };
}

/** Starts the server on a restored database without listening, and asks whether it is well. @throws when it is not */
export async function tryServer(database: Database, storage: Storage, config: Config): Promise<void> {
  const app = await buildApp({
    config,
    db: database.db,
    connection: database.connection,
    clock: systemClock,
    storage,
  });
  try {
    await addRecordTypes(database.db, [...app.mirror.keys()]);
    const { statusCode } = await app.inject({ method: 'GET', url: '/healthz' });
    if (statusCode !== 200) throw new Error(`The restored server answers ${statusCode}`);
  } finally {
    await app.close();
  }
}
