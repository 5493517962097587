import { and, eq, inArray, isNull, lt } from 'drizzle-orm';
import * as z from 'zod/mini';
import { DIRECT_UPLOADS } from '#contract/direct-uploads.ts';
import type { AnnouncedPart, PartsBody } from '#contract/records/uploads.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { lockPerson } from '#server/platform/db/lock-person.ts';
import { directUploads, uploads } from '#server/platform/db/schema.ts';
import { conflict, invalid } from '#server/platform/http/errors.ts';
import { addJob } from '#server/platform/jobs/add.ts';
import { defineJob, UNLIMITED_TRIES } from '#server/platform/jobs/kinds.ts';
import type { Quarantine, ReceivedPart } from '#server/platform/storage/quarantine.ts';
import type { ServerOptions } from '#server/platform/deps.ts';
import { newFileKey } from '#server/platform/storage/storage.ts';
import { removeUnreferenced } from '#server/platform/storage/sweep.ts';

export type DirectUpload = typeof directUploads.$inferSelect;

/** Puts the parts of an upload together, checks the file and makes it one that can be attached. */
export const CHECK_UPLOAD = defineJob({
  name: 'uploads.check',
  payload: z.object({ upload: z.string() }),
  tries: UNLIMITED_TRIES,
});

const toJobKey = (id: string) => `uploads.check ${id}`;

/** @throws 422 on `parts` unless they follow each other, have sizes that a bucket takes, and make up the file */
export function requireParts({ size, parts }: Pick<PartsBody, 'size' | 'parts'>): void {
  const { minPartBytes, maxPartBytes } = DIRECT_UPLOADS;
  const isRight = (part: AnnouncedPart, index: number) =>
    part.n === index + 1 && part.size <= maxPartBytes && (part.size >= minPartBytes || index === parts.length - 1);
  const total = parts.reduce((sum, part) => sum + part.size, 0);
  if (!parts.every(isRight) || total !== size) throw invalid({ parts: ['These parts do not make up the file'] });
}

/** The parts that have arrived as they were announced. Without a digest from the bucket, the size has to do until the check. */
export function findDone({ parts }: Pick<DirectUpload, 'parts'>, received: readonly ReceivedPart[]): ReceivedPart[] {
  const announced = new Map(parts.map((part) => [part.n, part]));
  return received.filter(({ n, size, sha256 }) => {
    const part = announced.get(n);
    return part?.size === size && (sha256 === null || sha256 === part.sha256);
  });
}

const isSameFile = (upload: DirectUpload, { size, sha256, parts }: PartsBody): boolean =>
  upload.sizeBytes === size &&
  upload.sha256 === sha256 &&
  upload.parts.length === parts.length &&
  parts.every((part, index) => {
    const before = upload.parts[index];
    return before?.size === part.size && before.sha256 === part.sha256;
  });

/** Files that devices send to the bucket themselves, in PostgreSQL. The row is also what allows a file in the quarantine to stay. */
export function directStore(db: Db, clock: Clock) {
  const byId = (id: string) => eq(directUploads.id, id);
  /** Matches this very upload while it is being checked, not one that was created anew under the same id. */
  const isChecking = ({ id, createdAt }: DirectUpload) =>
    and(byId(id), eq(directUploads.createdAt, createdAt), eq(directUploads.state, 'checking'));

  async function find(userId: number, id: string, on: Db = db): Promise<DirectUpload | null> {
    const [upload] = await on
      .select()
      .from(directUploads)
      .where(and(byId(id), eq(directUploads.userId, userId)));
    return upload ?? null;
  }

  async function isTaken(tx: Db, userId: number, id: string): Promise<boolean> {
    const [direct] = await tx.select({ userId: directUploads.userId }).from(directUploads).where(byId(id));
    const [other] = await tx.select({ userId: uploads.userId }).from(uploads).where(eq(uploads.id, id));
    return [direct, other].some((upload) => upload !== undefined && upload.userId !== userId);
  }

  return {
    find,

    /**
     * Creates an upload, or returns the one that this person created under the same id.
     * @param requireRoom runs before a new upload is created, under the person's lock
     * @throws 409 if the id is another person's, 422 if it names another file
     */
    create: (userId: number, id: string, sent: PartsBody, requireRoom: (tx: Db) => Promise<void>) =>
      db.transaction(async (tx): Promise<DirectUpload> => {
        await lockPerson(tx, userId);
        if (await isTaken(tx, userId, id)) throw conflict('This id already belongs to another upload');
        const now = clock.now();
        const found = await find(userId, id, tx);
        if (found !== null) {
          if (!isSameFile(found, sent)) throw invalid({ parts: ['This id already belongs to another file'] });
          await tx.update(directUploads).set({ updatedAt: now }).where(byId(id));
          return found;
        }
        await requireRoom(tx);
        const { size: sizeBytes, sha256, parts } = sent;
        const values = { id, userId, sizeBytes, sha256, parts, quarantineName: newFileKey() };
        const [added] = await tx
          .insert(directUploads)
          .values({ ...values, createdAt: now, updatedAt: now })
          // Somebody else may have taken the id in this moment.
          .onConflictDoNothing()
          .returning();
        if (added === undefined) throw conflict('This id already belongs to another upload');
        return added;
      }),

    /**
     * Returns the bucket's id of an open upload, and begins one if the bucket has none.
     * @param gone the id that the bucket no longer knows
     */
    async begin(quarantine: Quarantine, upload: DirectUpload, gone: string | null = null): Promise<string | null> {
      if (upload.bucketUploadId !== gone) return upload.bucketUploadId;
      const begun = await quarantine.begin(upload.quarantineName);
      const isSame = gone === null ? isNull(directUploads.bucketUploadId) : eq(directUploads.bucketUploadId, gone);
      const [kept] = await db
        .update(directUploads)
        .set({ bucketUploadId: begun })
        .where(and(byId(upload.id), isSame, eq(directUploads.state, 'open')))
        .returning();
      if (kept !== undefined) return begun;
      // Another request was faster.
      await quarantine.abort({ name: upload.quarantineName, uploadId: begun });
      return (await find(upload.userId, upload.id))?.bucketUploadId ?? null;
    },

    /** Marks an open upload as complete, and has it checked. Repeated, it changes nothing. */
    submit: ({ id }: DirectUpload) =>
      db.transaction(async (tx) => {
        const [changed] = await tx
          .update(directUploads)
          .set({ state: 'checking', updatedAt: clock.now() })
          .where(and(byId(id), eq(directUploads.state, 'open')))
          .returning();
        if (changed !== undefined) await addJob(tx, CHECK_UPLOAD, { upload: id }, { key: toJobKey(id) });
      }),

    /** Has uploads checked that have waited since before this time. Their job may be missing after a restore. */
    async resubmit(before: Date): Promise<void> {
      const late = await db
        .select({ id: directUploads.id })
        .from(directUploads)
        .where(and(eq(directUploads.state, 'checking'), lt(directUploads.updatedAt, before)));
      for (const { id } of late) await addJob(db, CHECK_UPLOAD, { upload: id }, { key: toJobKey(id) });
    },

    /** Finds an upload that waits to be checked. */
    async findChecking(id: string): Promise<DirectUpload | null> {
      const [upload] = await db
        .select()
        .from(directUploads)
        .where(and(byId(id), eq(directUploads.state, 'checking')));
      return upload ?? null;
    },

    /** Changes an upload that is being checked. @returns false if it was ended or checked meanwhile */
    async note(upload: DirectUpload, values: Partial<typeof directUploads.$inferInsert>): Promise<boolean> {
      const changed = await db
        .update(directUploads)
        .set(values)
        .where(isChecking(upload))
        .returning({ id: directUploads.id });
      return changed.length > 0;
    },

    /** Forgets an upload that is being checked. @returns false if it was ended or checked meanwhile */
    async forget(upload: DirectUpload): Promise<boolean> {
      const forgotten = await db.delete(directUploads).where(isChecking(upload)).returning({ id: directUploads.id });
      return forgotten.length > 0;
    },

    /** Deletes an upload, in the caller's transaction if there is one; null if this person has no such upload. */
    async end(userId: number, id: string, on: Db = db): Promise<DirectUpload | null> {
      const [ended] = await on
        .delete(directUploads)
        .where(and(byId(id), eq(directUploads.userId, userId)))
        .returning();
      return ended ?? null;
    },

    /** Lists uploads without activity since `before`. */
    idle: (before: Date) => db.select().from(directUploads).where(lt(directUploads.updatedAt, before)),

    /** Which of these names in the quarantine belong to uploads that still need them. */
    async findNeeded(names: readonly string[]): Promise<Set<string>> {
      if (names.length === 0) return new Set();
      const rows = await db
        .select({ name: directUploads.quarantineName })
        .from(directUploads)
        .where(
          and(inArray(directUploads.quarantineName, [...names]), inArray(directUploads.state, ['open', 'checking'])),
        );
      return new Set(rows.map(({ name }) => name));
    },
  };
}

export type DirectStore = ReturnType<typeof directStore>;

/** Removes what the bucket holds of an upload from the quarantine. */
export async function clearQuarantine(quarantine: Quarantine, upload: DirectUpload): Promise<void> {
  const { quarantineName: name, bucketUploadId: uploadId } = upload;
  if (uploadId !== null) await quarantine.abort({ name, uploadId });
  await quarantine.remove(name);
}

type Files = Pick<ServerOptions, 'db' | 'storage'>;

/** Deletes an upload, and what the bucket holds of it; false if this person has no such upload. */
export async function endDirectUpload(
  { db, storage }: Files,
  store: DirectStore,
  userId: number,
  id: string,
): Promise<boolean> {
  const ended = await store.end(userId, id);
  if (ended === null) return false;
  if (ended.fileKey !== null) await removeUnreferenced(db, storage, [ended.fileKey]);
  // The sweep removes what a failure leaves behind.
  if (storage.quarantine !== undefined) await clearQuarantine(storage.quarantine, ended).catch(() => undefined);
  return true;
}

const NAMES_PER_QUERY = 500;

/**
 * Removes from the quarantine what no open upload needs: of ended and checked uploads, deleted accounts and killed servers.
 * @param before what was stored later is kept, because its row may not be written yet
 * @returns the number of removed files and unfinished uploads
 */
export async function sweepQuarantine(quarantine: Quarantine, store: DirectStore, before: Date): Promise<number> {
  let removed = 0;
  let batch: { name: string; uploadId: string | null }[] = [];
  const flush = async () => {
    const needed = await store.findNeeded(batch.map(({ name }) => name));
    for (const { name, uploadId } of batch.filter((found) => !needed.has(found.name))) {
      await (uploadId === null ? quarantine.remove(name) : quarantine.abort({ name, uploadId }));
      removed += 1;
    }
    batch = [];
  };
  for await (const found of quarantine.list()) {
    if (found.storedAt < before) batch.push(found);
    if (batch.length >= NAMES_PER_QUERY) await flush();
  }
  await flush();
  return removed;
}
